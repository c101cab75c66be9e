// Part: machine code of changed functions, old and new aligned, with how often each instruction was executed.

const CODELESS = 'There is no machine code: no function that matters has other code on the new side, or a digest is without it.';

function asmPart(data) {
  if (!data.asm?.length) return [empty(CODELESS)];
  const heads = [silent('Side'), right('Old'), right('New'), right('Difference'), right('Line'), right('Offset'), 'Instruction'];
  const content = data.asm.map(({function: name, rows, sides}) => {
    const file = data.lines?.find(one => isFunction(name)(one.function))?.file;
    const count = mark => figure(rows.filter(([sign]) => sign === mark).length);
    const counts = [
      ` ${figure(rows.length)} instructions: `,
      element('b', {class: 'worse'}, `+${count('+')}`),
      ' ',
      element('b', {class: 'better'}, `${MINUS}${count('-')}`),
      sides === 'both' ? '' : `, the ${sides} side alone`,
    ];
    return element(
      'section',
      {},
      functionHead(data, name, element('small', {}, counts)),
      tableOf(
        'code asm',
        `Machine code of ${name}`,
        heads,
        rows.map(row => instructionLine(file, row)),
      ),
    );
  });
  return {content, update: lookAt};
}

function instructionLine(file, [mark, before, after, address, text, number]) {
  const link = file ? button(number, () => go({p: 'source', at: `${file}:${number}`}), {class: 'link'}) : number;
  return line(
    {'data-mark': {'+': 'new', '-': 'old', '~': 'moved'}[mark] ?? null},
    cell({class: 'mark'}, mark === '-' ? MINUS : mark),
    numberCell(figure(before)),
    numberCell(figure(after)),
    differenceCell(difference(before, after) || null),
    numberCell(number > 0 && link),
    cell({class: 'number dim'}, address),
    cell({class: 'text'}, text),
  );
}
