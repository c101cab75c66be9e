// Part: lines of the source with what they cost on both sides, function by function.

const SOURCELESS =
  'There are no lines: the executables have no line tables (set “debug = true” for the profile “bench”), or no cost is in code of yours.';

function sourcePart(data) {
  if (!data.lines?.length) return [empty(SOURCELESS)];
  const most = Math.max(1, ...data.lines.flatMap(({rows}) => rows.flatMap(([, before, after]) => [before ?? 0, after ?? 0])));
  const heads = [right('Line'), right('Old'), right('New'), right('Difference'), silent('Side'), 'Source'];
  const content = data.lines.map(({file, function: name, rows}) => {
    const lines = rows.map((row, i) => [
      i > 0 && row[0] > rows[i - 1][0] + 1 && line({class: 'gap'}, cell({colspan: 6}, '⋯')),
      sourceLine(file, row, most),
    ]);
    return element(
      'section',
      {},
      functionHead(data, name, element('small', {class: 'place'}, file)),
      tableOf('code', `Lines of ${name}`, heads, lines),
    );
  });
  return {content, update: lookAt};
}

// A line that one side has alone stands with its mark; one without costs is there for those beside it.
function sourceLine(file, [number, before, after, text], most) {
  const counted = before !== null || after !== null;
  const mark = !counted || (before !== null && after !== null) ? '' : before === null ? '+' : MINUS;
  const place = mark === MINUS || !number ? null : `${file}:${number}`;
  const address = place && sourceAddress(file, number);
  const link = address ? element('a', {href: address, rel: 'noreferrer'}, number) : number;
  const heat = Math.ceil((4 * Math.max(before ?? 0, after ?? 0)) / most);
  return line(
    {'data-at': place, class: counted ? null : 'beside'},
    number ? element('th', {scope: 'row', class: 'number'}, link) : numberCell(''),
    numberCell(figure(before)),
    numberCell(figure(after)),
    differenceCell(counted ? difference(before, after) : null),
    cell({class: 'mark'}, mark),
    cell({class: 'text', 'data-heat': heat}, number ? (text ?? '') : '(no line)'),
  );
}
