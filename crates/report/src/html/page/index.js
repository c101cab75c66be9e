// The table of all benchmarks. Rust has written its rows; this adds bars and histories, and filters and sorts them.

const TABLE = byId('benchmarks');
const SPARK = {width: 96, height: 18};
let order = BENCHMARKS; // those that are shown, in their order

// The value of the chosen metric in a benchmark: old, new, percent, class.
function valueOf(benchmark) {
  const found = state.m === '' ? benchmark.values[0] : benchmark.values.find(([metric]) => String(metric) === state.m);
  if (!found) return {};
  const [metric, before, after, pct, word] = found;
  return {metric: INDEX.metrics[metric], before, after, pct, word};
}

function beginTable() {
  TABLE.classList.add('live');
  const [name, word, amount, size, cause] = TABLE.tHead.rows[0].cells;
  amount.before(element('th', {scope: 'col', class: 'bar-cell'}, element('small', {title: 'The bars are logarithmic, from 0.1 % to 10 000 %'}, 'logarithmic')));
  if (POINTS.length > 1) cause.before(element('th', {scope: 'col', class: 'spark-cell'}, 'History'));
  for (const benchmark of BENCHMARKS) {
    const cells = benchmark.row.cells;
    cells[1].replaceChildren(badge(benchmark.class, cells[1].textContent));
    Object.assign(benchmark, {amount: cells[2], size: cells[3], bar: element('td', {class: 'bar-cell'})});
    cells[0].title = benchmark.name.slice(0, 300);
    for (const cell of [cells[2], cells[3]]) cell.className = 'number';
    cells[2].before(benchmark.bar);
    if (POINTS.length > 1) benchmark.row.lastElementChild.before(element('td', {class: 'spark-cell'}, spark(benchmark)));
  }
  for (const [cell, key, title] of [
    [name, 'name', 'Benchmark'],
    [word, 'class', 'Class'],
    [amount, 'change', 'Change'],
    [size, 'size', 'New'],
  ]) {
    cell.replaceChildren(
      element('button', {type: 'button', click: () => sortTableBy(key)}, title, element('span', {class: 'order', 'aria-hidden': 'true'})),
    );
    cell.dataset.key = key;
  }
  TABLE.tBodies[0].addEventListener('click', event => {
    const row = event.target.closest('tr');
    if (row && !getSelection().toString()) go({b: BENCHMARKS[row.dataset.i].key, zoom: '', at: ''});
  });
  beginSwitches();
}

function beginSwitches() {
  const form = document.querySelector('form.controls');
  form.hidden = false;
  form.addEventListener('submit', event => event.preventDefault());
  byId('filter').addEventListener('input', event => amend({q: event.target.value}));
  const chosen = byId('metric');
  chosen.append(element('option', {value: ''}, 'Main metric'));
  INDEX.metrics.forEach(({tool, label}, i) => chosen.append(element('option', {value: i}, `${label} (${tool})`)));
  chosen.addEventListener('change', () => go({m: chosen.value}));
  const changed = BENCHMARKS.filter(benchmark => benchmark.changed).length;
  byId('show').replaceWith(
    choice(
      'Show',
      [
        ['changed', `Changed ${figure(changed)}`],
        ['all', `All ${figure(BENCHMARKS.length)}`],
      ],
      value => go({show: value}),
    ),
  );
}

const badge = (word, text) => element('span', {class: 'badge', 'data-c': word}, text);

function sortTableBy(key) {
  const next = {[key]: `-${key}`, [`-${key}`]: ''};
  go({sort: next[state.sort] ?? key});
}

function showTable() {
  const all = showsAll();
  const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = BENCHMARKS.filter(({sought, changed}) => (all || changed) && words.every(word => sought.includes(word)));
  const reverse = state.sort.startsWith('-');
  const key = reverse ? state.sort.slice(1) : state.sort;
  const sorted = kept.map(benchmark => ({benchmark, by: sortedBy(benchmark, key)}));
  const falls = key === 'change' || key === 'size';
  sorted.sort((a, b) => compared(a.by, b.by, falls !== reverse) || a.benchmark.place - b.benchmark.place);
  order = sorted.map(({benchmark}) => benchmark);

  for (const benchmark of BENCHMARKS) showFigures(benchmark);
  const body = TABLE.tBodies[0];
  body.replaceChildren(...order.map(({row}) => row));
  for (const cell of TABLE.tHead.rows[0].cells) {
    if (!cell.dataset.key) continue;
    const falling = falls !== reverse;
    const sorts = cell.dataset.key === key;
    cell.setAttribute('aria-sort', !sorts ? 'none' : falling ? 'descending' : 'ascending');
    cell.querySelector('.order').textContent = !sorts ? '' : falling ? '▼' : '▲';
  }
  if (byId('filter').value !== state.q) byId('filter').value = state.q;
  byId('metric').value = state.m;
  press(document.querySelector('form.controls .choice'), all ? 'all' : 'changed');
  byId('shown').textContent = `${figure(order.length)} of ${figure(BENCHMARKS.length)}`;
  byId('nothing').hidden = order.length > 0;
  byId('nothing').textContent = state.q
    ? `No benchmark has “${state.q}” in its name${all ? '' : ' among those that changed'}.`
    : 'There is no benchmark.';
}

const showsAll = () => (state.show || (BENCHMARKS.some(({changed}) => changed) ? 'changed' : 'all')) === 'all';

function sortedBy(benchmark, key) {
  if (key === '') return 0; // the order of the index: class, then change
  if (key === 'name') return benchmark.name;
  if (key === 'class') return benchmark.class;
  const {pct, before, after} = valueOf(benchmark);
  if (key === 'size') return after ?? null;
  // What has no change in percent: failures come before all others, new and gone benchmarks between changes and the same.
  if (typeof pct !== 'number')
    return benchmark.class === 'failed' ? Number.MAX_VALUE : benchmark.changed && before !== after ? Number.MIN_VALUE : 0;
  return Math.abs(pct);
}

// Cells of the chosen metric.
function showFigures(benchmark) {
  const {metric, after, pct} = valueOf(benchmark);
  if (benchmark.figuresOf === state.m) return;
  benchmark.figuresOf = state.m;
  benchmark.amount.textContent = percent(pct);
  benchmark.size.textContent = figure(after);
  benchmark.amount.className = `number ${tone(pct, metric?.better)}`;
  benchmark.bar.replaceChildren(...(pct ? [bar(pct, metric.better)] : []));
}

// A bar from the middle: to the right for more, to the left for less; its length is logarithmic, from 0.1 % to 10 000 %.
function bar(pct, better) {
  const length = Math.min(1, Math.log10(1 + 10 * Math.abs(pct)) / 5) * 48;
  return drawn(
    'svg',
    {width: 96, height: 10, viewBox: '0 0 96 10', 'aria-hidden': 'true', class: 'bar'},
    drawn('rect', {x: pct > 0 ? 48 : 48 - length, y: 1, width: Math.max(1.5, length), height: 8, class: tone(pct, better)}),
    drawn('path', {d: 'M48 0V10'}),
  );
}

// The history of the main metric in a line.
function spark({history, values}) {
  if (!history?.length) return null;
  const points = upToNow(history, values[0]?.[2]);
  const {line, last} = stepLine(points, SPARK.width - 4, SPARK.height - 4, POINTS.length);
  return drawn(
    'svg',
    {
      width: SPARK.width,
      height: SPARK.height,
      viewBox: `-2 -2 ${SPARK.width} ${SPARK.height}`,
      role: 'img',
      class: 'spark',
      'aria-label': `History: ${figure(points[0][1])} to ${figure(points.at(-1)[1])}`,
    },
    drawn('path', {d: line}),
    last && drawn('circle', {cx: last[0], cy: last[1], r: 2}),
  );
}
