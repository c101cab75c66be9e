// Keys, and the dialog that names them.

const KEYS = [
  ['/', 'Filter benchmarks, frames or functions'],
  ['j  k  ↓  ↑', 'Next and previous benchmark'],
  ['Enter', 'Open a benchmark, zoom to a frame'],
  ['Esc', 'Back: zoom, then all benchmarks; empty a filter'],
  ['1 … 7', 'Parts of a benchmark'],
  ['arrows', 'From frame to frame, in the flamegraph'],
  ['Backspace', 'Zoom out, in the flamegraph'],
  ['?', 'These keys'],
];

function beginKeys() {
  const dialog = byId('keys');
  dialog.append(
    element('h2', {id: 'keys-title'}, 'Keys'),
    element(
      'table',
      {},
      element(
        'tbody',
        {},
        KEYS.map(([keys, text]) =>
          element(
            'tr',
            {},
            element(
              'th',
              {scope: 'row'},
              keys.split('  ').flatMap(key => [element('kbd', {}, key), ' ']),
            ),
            element('td', {}, text),
          ),
        ),
      ),
    ),
    element('form', {method: 'dialog'}, element('button', {}, 'Close')),
  );
  byId('help').addEventListener('click', () => dialog.showModal());
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (pressed(event.key, event.target)) event.preventDefault();
  });
}

// Does what a key means; false if it means nothing here.
function pressed(key, target) {
  const typing = target.matches?.('input, select, textarea');
  if (key === 'Escape') return back(typing ? target : null);
  if (typing) return key === 'Enter' && target.id === 'filter' && Boolean(order[0]) && (go({b: order[0].key}), true);
  if (key === '?') return (byId('keys').showModal(), true);
  if (key === '/') {
    const field = (state.b ? VIEW : document).querySelector('input[type=search]');
    field?.focus();
    return Boolean(field);
  }
  if (key === 'j' || (key === 'ArrowDown' && !state.b)) return (step(1), true);
  if (key === 'k' || (key === 'ArrowUp' && !state.b)) return (step(-1), true);
  const part = state.b && PARTS[Number(key) - 1];
  return part ? (go({p: part[0]}), true) : false;
}

// One step out: of a field, of a zoom, of a benchmark.
function back(field) {
  if (field?.value && field.type === 'search') amend(field.id === 'filter' ? {q: ''} : {find: ''});
  else if (field) field.blur();
  else if (state.b && state.zoom && open?.data && openPart(open.data) === 'flame') go({zoom: ''});
  else if (state.b) go({b: '', zoom: '', at: ''});
  else if (state.q) amend({q: ''});
  else return false;
  return true;
}
