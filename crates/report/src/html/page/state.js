// What the page shows is a plain value, which the fragment of the address holds: the back button and links work.

const AT_FIRST = {
  b: '', //         key of the open benchmark; '' is the table
  p: '', //         part of it; '' is the first that tells something
  q: '', //         filter of the table
  sort: '', //      column of the table; '-' before it: the other way round; '' is class, then change, as `compare` prints
  show: '', //      'changed' or 'all'; '' is 'changed' if anything has
  m: '', //         metric of the table, by its place in the index; '' is the main one of each benchmark
  view: 'diff', //  side of the flamegraph: new, old, diff
  zoom: '', //      frame that fills the flamegraph, by its number
  find: '', //      text that marks frames and selects functions
  at: '', //        place to look at: `file:line`
};

let state = fromAddress();
let shown = null; // the state that the page shows
let writing = 0;

function fromAddress() {
  const said = new URLSearchParams(location.hash.slice(1));
  const known = Object.keys(AT_FIRST).filter(key => said.has(key));
  return {...AT_FIRST, ...Object.fromEntries(known.map(key => [key, said.get(key)]))};
}

function toAddress(value) {
  const said = Object.entries(value).filter(([key, text]) => text !== AT_FIRST[key]);
  return `#${new URLSearchParams(said)}`;
}

// Goes to another state: a step that the back button takes back.
function go(changes) {
  const next = {...state, ...changes};
  if (toAddress(next) === toAddress(state)) return;
  settle();
  state = next;
  history.pushState(null, '', toAddress(state));
  show();
}

// Changes the state in place, such as by a letter in a filter. Browsers refuse many changes of the address at once.
function amend(changes) {
  state = {...state, ...changes};
  clearTimeout(writing);
  writing = setTimeout(settle, 250);
  show();
}

function settle() {
  clearTimeout(writing);
  history.replaceState(null, '', toAddress(state));
}

addEventListener('popstate', () => {
  clearTimeout(writing);
  state = fromAddress();
  show();
});

const differs = keys => shown === null || keys.some(key => shown[key] !== state[key]);

function show() {
  const table = differs(['q', 'sort', 'show', 'm']);
  const opened = differs(['b']);
  const part = differs(['p']);
  const before = shown;
  shown = state;
  if (table) showTable();
  if (opened) showBenchmark(before?.b ?? '');
  else if (part) showPart();
  else updatePart();
}
