// Part: the course of each metric over the points of the history, as lines with steps.

const CHART = {narrowest: 560, height: 210, side: 8, top: 24, bottom: 8, label: 96};
const FACTS = [
  ['rustc', 'rustc'],
  ['valgrind', 'Valgrind'],
  ['libc', 'libc'],
];

const HISTORYLESS = 'There is no history: it begins with the second run, or with “--history” and results of earlier commits.';

// A line with steps through [point, value]: a value holds until the next one; null is a gap.
function stepLine(points, width, height, count) {
  const values = points.map(([, value]) => value).filter(value => value !== null);
  const [low, top] = [Math.min(...values), Math.max(...values)];
  const x = point => (count > 1 ? (width * point) / (count - 1) : width);
  const y = value => (top > low ? height - (height * (value - low)) / (top - low) : height / 2);
  const round = number => Math.round(number * 10) / 10;
  let line = '';
  let last = null;
  points.forEach(([point, value], i) => {
    if (value === null) {
      if (last) line += `H${round(x(point))}`;
      last = null;
      return;
    }
    line += last ? `H${round(x(point))}V${round(y(value))}` : `M${round(x(point))} ${round(y(value))}`;
    last = [round(x(point)), round(y(value))];
    if (i === points.length - 1) last = [round(width), last[1]];
  });
  if (last) line += `H${last[0]}`;
  return {line, last, low, top, x, y};
}

function historyPart(data) {
  if (!data.history?.length || POINTS.length < 2) return [empty(HISTORYLESS)];
  const rows = data.tools.flatMap(({rows}) => rows);
  return data.history.map(({m, points: earlier}) => {
    const {label, tool} = INDEX.metrics[m];
    const points = upToNow(earlier, rows.find(row => row.m === m)?.new);
    const head = element('h3', {}, label, element('small', {}, ` ${tool}`));
    return element('section', {}, head, chart(label, points), historyTable(label, points));
  });
}

// Points where the compiler, Valgrind or the C library is another than at the point before.
function changesOfTools() {
  // `1.95.0 (59807616e 2026-04-14)` and `1.95.0` are one version.
  const version = (i, key) => POINTS[i][key]?.split(' (')[0];
  return POINTS.flatMap((_, i) => {
    const changed = ([key]) => i > 0 && version(i, key) && version(i - 1, key) && version(i, key) !== version(i - 1, key);
    const texts = FACTS.filter(changed).map(([key, name]) => `${name} ${version(i, key)}`);
    return texts.length ? [{i, text: texts.join(', ')}] : [];
  });
}

function chart(label, points) {
  const width = Math.max(CHART.narrowest, VIEW.clientWidth);
  const [wide, high] = [width - 2 * CHART.side, CHART.height - CHART.top - CHART.bottom];
  const {line, last, low, top, x, y} = stepLine(points, wide, high, POINTS.length);
  const grid = (low === top ? [low] : [top, low]).map(value => [
    drawn('path', {class: 'grid', d: `M0 ${y(value)}H${wide}`}),
    drawn('text', {x: 0, y: y(value) - 5}, figure(value)),
  ]);
  let labelled = -Infinity; // where the last text ends; those that have no room are in the table alone
  const marks = changesOfTools().map(({i, text}) => {
    const at = x(i);
    const fits = at > labelled && at + CHART.label < wide;
    if (fits) labelled = at + 6 * text.length + 12;
    return [
      drawn('path', {class: 'tools', d: `M${at} ${8 - CHART.top}V${high}`}, drawn('title', {}, text)),
      fits && drawn('text', {x: at + 5, y: 17 - CHART.top, class: 'tools'}, text),
    ];
  });
  const dots = points
    .filter(([, value]) => value !== null)
    .map(([point, value]) =>
      drawn('circle', {cx: x(point), cy: y(value), r: 2.5}, drawn('title', {}, `${pointName(POINTS[point])}: ${figure(value)}`)),
    );
  return element(
    'div',
    {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `History of ${label}`},
    drawn(
      'svg',
      {
        class: 'chart',
        width,
        height: CHART.height,
        viewBox: `${-CHART.side} ${-CHART.top} ${width} ${CHART.height}`,
        role: 'img',
        'aria-label': `${label}: ${figure(low)} to ${figure(top)}; the table below has all points`,
      },
      grid,
      marks,
      drawn('path', {class: 'line', d: line}),
      dots,
      last && drawn('circle', {class: 'last', cx: last[0], cy: last[1], r: 3.5}),
    ),
  );
}

const pointName = ({commit, dirty, label, at}) => label ?? (commit ? `${commit.slice(0, 8)}${dirty ? ' (dirty)' : ''}` : (at ?? ''));

function historyTable(label, points) {
  const tools = new Map(changesOfTools().map(({i, text}) => [i, text]));
  const rows = points.map(([point, value], i) => ({point, value, before: i ? points[i - 1][1] : null}));
  for (const i of tools.keys()) {
    if (!rows.some(({point}) => point === i)) rows.push({point: i, same: true});
  }
  rows.sort((a, b) => b.point - a.point);
  const heads = ['Commit', 'Time', right(label), right('Difference'), right('Change'), 'Since then'];
  const lines = rows.map(row => pointLine(row, tools.get(row.point) ?? ''));
  return tableOf(null, `Points of ${label}`, heads, lines);
}

function pointLine({point, value, before, same}, sinceThen) {
  const known = !same && value !== null && before !== null;
  const at = POINTS[point].at ?? '';
  return line(
    {},
    element('th', {scope: 'row', class: 'name'}, pointName(POINTS[point])),
    cell({class: 'dim'}, at.slice(0, 16).replace('T', ' ')),
    numberCell(same ? 'same' : value === null ? 'none' : figure(value)),
    differenceCell(known ? value - before : null),
    differenceCell(known ? change(before, value) : null, percent(change(before, value))),
    cell({}, sinceThen),
  );
}
