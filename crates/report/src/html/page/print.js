// On paper all changed benchmarks are open, without the flamegraph. Browsers do not wait before they print, so details are
// inflated while nothing else is to be done.

const PRINTED = 100;
const PRINTED_FUNCTIONS = 30;
const ready = new Map();

const toPrint = () => BENCHMARKS.filter(({changed, detailed}) => changed && detailed).slice(0, PRINTED);

function beginPrint() {
  if (!canInflate()) return;
  const waiting = toPrint();
  const idle = globalThis.requestIdleCallback ?? (work => setTimeout(work, 50));
  const next = async () => {
    const benchmark = waiting.shift();
    if (!benchmark) return;
    try {
      ready.set(benchmark, await details(benchmark.place));
    } catch (error) {
      ready.set(benchmark, null);
    }
    idle(next);
  };
  idle(next);
  addEventListener('beforeprint', layOut);
  addEventListener('afterprint', () => byId('printed').replaceChildren());
}

function layOut() {
  const changed = BENCHMARKS.filter(one => one.changed);
  const printed = changed.filter(benchmark => ready.get(benchmark));
  refilled(
    byId('printed'),
    printed.map(benchmark => {
      const data = ready.get(benchmark);
      const [, head, lead, failure] = headOf(benchmark, data);
      head.removeAttribute('id');
      const short = {...data, functions: data.functions?.slice(0, PRINTED_FUNCTIONS)};
      return [
        head,
        lead,
        failure,
        PARTS.filter(([key, , , has]) => key !== 'flame' && has(data)).map(([, title, make]) => {
          const made = make(short);
          return [element('h3', {class: 'part'}, title), made.content ?? made];
        }),
      ];
    }),
    changed.length > printed.length &&
      element('p', {class: 'remark'}, `Without details here: ${figure(changed.length - printed.length)} benchmarks that changed.`),
  );
}
