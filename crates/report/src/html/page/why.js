// Part: the causes of a difference, as the explanation has them. Each list adds up to the difference.

const UNEXPLAINED =
  'Nothing is explained: the explained metric stayed the same, or a side has no digests. “cargo bench” keeps them beside its results; both sides have to be directories that have them.';

function whyPart(data) {
  const why = data.why;
  if (!why) return [empty(UNEXPLAINED)];
  const owners = ledger('By owner of the code', 'Owner', why.origins, ({name}) => name);
  const functions = ledger('By function', 'Function', why.where, row => functionLink(data, row.function));
  const stories = why.stories?.map(story => element('li', {}, storyText(data, story)));
  return [
    why.metric !== mainKind(data) && whole(why),
    why.basis === 'functions' && remark('A side has costs by function only, so there are no causes.'),
    why.causes?.length > 0 && causesTable(data, why),
    element('div', {class: 'columns'}, owners, functions),
    allocationsLine(why.allocations),
    stories?.length > 0 && section('What happened to functions', element('ul', {class: 'stories'}, stories)),
    why.notes?.map(remark),
  ];
}

// The metric that the head of the benchmark shows.
const mainKind = data => INDEX.metrics[data.tools[0]?.rows[0]?.m]?.kind;

function whole({label, metric, old: before, new: after, diff}) {
  const step = element('b', {class: tone(diff)}, `${signed(diff)} (${percent(change(before, after)) || 'new'})`);
  return element('p', {class: 'lead'}, `${label ?? metric} ${figure(before)} → ${figure(after)} `, step);
}

function causesTable(data, why) {
  const lines = why.causes.map(cause => causeLines(data, why, cause));
  return section('Causes', tableOf('causes', 'Causes', [right('Difference'), right('Change'), 'Place', 'Cause'], lines));
}

function causeLines(data, why, cause) {
  const figures = [differenceCell(cause.diff), differenceCell(cause.diff, percent(change(why.old, why.old + cause.diff)))];
  if (cause.rest) return line({class: 'rest'}, figures, cell({colspan: 2}, `${figure(cause.rest)} more places`));
  const code = {changed: 'code changed', other_constants: 'other constants', new: 'new code', same: 'same code'}[cause.code];
  const parts = cause.parts?.length > 1 ? cause.parts : [];
  return [
    line(
      {},
      figures,
      cell({}, functionLink(data, cause.function), placeLink(cause.file, cause.line), code && element('span', {class: 'tag'}, code)),
      cell({}, [cause.text, cause.also, cause.inlining && inliningText(cause.inlining)].filter(Boolean).join('; ')),
    ),
    parts.map(part =>
      line(
        {class: 'part'},
        differenceCell(part.diff, part.estimate ? `≈ ${signed(part.diff)}` : undefined),
        numberCell(''),
        cell({}, placeLink(cause.file, part.line)),
        cell({}, partText(data, part)),
      ),
    ),
  ];
}

function partText(data, {kind, callee, old: before, new: after, entries, diff, executed, merged, through}) {
  const counts = ` ${figure(before)} → ${figure(after)}`;
  const names = through?.map((name, i) => [i ? ' → ' : ', through ', functionLink(data, name)]);
  // Two numbers beside a difference are that difference.
  const isDifference = entries || Math.abs(after - before - diff) <= 1;
  if (kind === 'own') return [`own code${isDifference ? counts : ''}`, names];
  const costs = executed && ` (executed ${figure(executed.old)} → ${figure(executed.new)})`;
  const others = merged?.length > 0 && ` (merged with ${merged.join(', ')})`;
  if (kind === 'allocates' || kind === 'frees') return [`${kind}${counts} blocks`, costs, names];
  return [kind === 'calls' && callee ? ['calls ', functionLink(data, callee), others] : 'called', `${counts} times`, costs, names];
}

const inliningText = ({kind, calls}) => `${kind === 'inlined_now' ? 'now inlined' : 'no longer inlined'} (${figure(calls)} calls)`;

function storyText(data, {kind, function: name, from, callers}) {
  if (kind === 'renamed') return [functionLink(data, name), ` had the name ${from ?? ''}`];
  const into = (callers ?? []).map((caller, i) => [i ? ', ' : ' into ', functionLink(data, caller)]);
  return [functionLink(data, name), kind === 'inlined_now' ? ' is now inlined' : ' is no longer inlined', into];
}

// A list that adds up, with bars.
function ledger(title, head, rows, named) {
  if (!rows?.length) return null;
  const widest = Math.max(...rows.map(row => Math.abs(row.diff)), 1);
  const lines = rows.map(row =>
    line(
      {class: row.rest ? 'rest' : null},
      differenceCell(row.diff),
      cell({class: 'bar-cell'}, sizeBar(row.diff, widest)),
      cell({}, row.rest ? `${figure(row.rest)} more` : named(row)),
    ),
  );
  return section(title, tableOf('ledger', title, [right('Difference'), silent('Size'), head], lines));
}

function sizeBar(value, widest) {
  const size = {x: 0, y: 1, width: Math.max(1, (64 * Math.abs(value)) / widest), height: 8};
  const place = {width: 64, height: 10, viewBox: '0 0 64 10', class: 'bar', 'aria-hidden': 'true'};
  return drawn('svg', place, drawn('rect', {...size, class: tone(value)}));
}

function allocationsLine(allocations) {
  const {old: before, new: after} = allocations ?? {};
  if (!after) return null;
  // Each number may be unknown.
  const parts = [['calls', 'allocations'], ['frees', 'frees']].filter(([key]) => after[key] !== undefined);
  const texts = parts.map(([key, word]) => {
    const old = before?.[key] === undefined ? '' : `${figure(before[key])} → `;
    return `${word} ${old}${figure(after[key])}`;
  });
  const text = texts.join(', ');
  return remark(text.charAt(0).toUpperCase() + text.slice(1));
}
