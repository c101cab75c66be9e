// An open benchmark: its head, its parts, and what leads to others.

const PARTS = [
  ['metrics', 'Metrics', metricsPart, () => true],
  ['why', 'Why', whyPart, data => data.why],
  ['flame', 'Flame', flamePart, data => data.flame],
  ['functions', 'Functions', functionsPart, data => data.functions?.length],
  ['source', 'Source', sourcePart, data => data.lines?.length],
  ['asm', 'Asm', asmPart, data => data.asm?.length],
  ['history', 'History', historyPart, data => data.history?.length],
];

const VIEW = byId('benchmark');
const TITLE = document.title;
let open = null; //   {benchmark, data} of the open benchmark
let update = null; // brings the shown part to a state that differs a little
let redraw = null; // draws it again, in other colours

const byKey = key => BENCHMARKS.find(benchmark => benchmark.key === key);
const openPart = data => (PARTS.some(([key]) => key === state.p) ? state.p : data.why ? 'why' : 'metrics');

// Shows the benchmark of the state, or the table, where the row that was open before gets the focus.
async function showBenchmark(before) {
  const benchmark = byKey(state.b);
  document.title = benchmark ? `${benchmark.name.slice(0, 200)} – ${TITLE}` : TITLE;
  VIEW.hidden = !benchmark;
  byId('overview').hidden = Boolean(benchmark);
  document.body.classList.toggle('opened', Boolean(benchmark));
  if (!benchmark) {
    [open, update, redraw] = [null, null, null];
    VIEW.replaceChildren();
    if (before) byKey(before)?.row.querySelector('button').focus();
    return;
  }
  let data = null;
  let trouble = '';
  try {
    data = await details(benchmark.place);
  } catch (error) {
    trouble = error.message;
  }
  if (byKey(state.b) !== benchmark) return; // another one was opened meanwhile
  open = {benchmark, data};
  refilled(VIEW, headOf(benchmark, data), data ? [tabs(data), panel()] : element('p', {class: 'empty', role: 'status'}, trouble));
  scrollTo(0, 0);
  byId('benchmark-title').focus({preventScroll: true});
  if (data) showPart();
}

function headOf(benchmark, data) {
  const at = order.indexOf(benchmark);
  const [main] = benchmark.values;
  const [metric, before, after] = main ?? [];
  const total = change(before, after);
  return [
    element(
      'nav',
      {class: 'controls walk', 'aria-label': 'Benchmarks'},
      button('← All benchmarks', () => go({b: '', zoom: '', at: ''}), {title: 'Esc'}),
      element('span', {class: 'dim'}, at < 0 ? '' : `${figure(at + 1)} of ${figure(order.length)}`),
      button('↑', () => step(-1), {'aria-label': 'Previous benchmark', title: 'k', disabled: at === 0}),
      button('↓', () => step(1), {'aria-label': 'Next benchmark', title: 'j', disabled: at === order.length - 1}),
    ),
    element('h2', {id: 'benchmark-title', class: 'name', tabindex: '-1'}, data?.headline ?? benchmark.name),
    element(
      'p',
      {class: 'lead'},
      badge(benchmark.class, benchmark.row.cells[1].textContent),
      ' ',
      main && [
        `${INDEX.metrics[metric].label} ${before === null ? '' : `${figure(before)} → `}${figure(after) || 'none'} `,
        element('b', {class: tone(total, INDEX.metrics[metric].better)}, percent(total)),
      ],
      data && element('span', {class: 'dim'}, ` ${data.package}, ${data.file} `),
      data?.source && sourceLink(data),
    ),
    data?.failure && element('pre', {class: 'failure', tabindex: '0'}, data.failure),
  ];
}

function sourceLink({source: [file, line], lines}) {
  const address = sourceAddress(file, line);
  const text = `${file}:${line}`;
  if (address) return element('a', {href: address, rel: 'noreferrer', class: 'place'}, text);
  return lines?.some(one => one.file === file) ? placeLink(file, line) : element('span', {class: 'place'}, text);
}

function tabs(data) {
  return element(
    'div',
    {
      role: 'tablist',
      'aria-label': 'Parts',
      keydown: event => {
        const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
        if (!by) return;
        event.preventDefault();
        const at = PARTS.findIndex(([key]) => key === openPart(data));
        go({p: PARTS[(at + by + PARTS.length) % PARTS.length][0]});
        byId(`tab-${openPart(data)}`).focus();
      },
    },
    PARTS.map(([key, title, , has], i) =>
      button([title, element('kbd', {'aria-hidden': 'true'}, i + 1)], () => go({p: key}), {
        role: 'tab',
        id: `tab-${key}`,
        'aria-controls': 'part',
        class: has(data) ? null : 'lacking',
      }),
    ),
  );
}

const panel = () => element('div', {role: 'tabpanel', id: 'part', tabindex: '0'});

function showPart() {
  if (!open?.data) return;
  const now = openPart(open.data);
  for (const [key] of PARTS) {
    const tab = byId(`tab-${key}`);
    tab.setAttribute('aria-selected', String(key === now));
    tab.tabIndex = key === now ? 0 : -1;
  }
  const part = byId('part');
  part.setAttribute('aria-labelledby', `tab-${now}`);
  const made = PARTS.find(([key]) => key === now)[2](open.data);
  refilled(part, made.content ?? made);
  if (open.data.left_out?.length && now !== 'metrics')
    part.append(element('p', {class: 'remark'}, `Left out: ${open.data.left_out.join(', ')}.`));
  [update, redraw] = [made.update ?? null, made.draw ?? null];
  updatePart();
}

const updatePart = () => update?.();

// Opens the benchmark before or after the open one; in the table, goes to its row.
function step(by) {
  const rows = order.map(({row}) => row.querySelector('button'));
  if (!state.b) {
    const at = rows.indexOf(document.activeElement);
    rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
    return;
  }
  const next = order[order.findIndex(({key}) => key === state.b) + by];
  if (next) go({b: next.key, zoom: '', at: ''});
}
