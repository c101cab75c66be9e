// What the page was given: the index, and the details of benchmarks, which are inflated when they are asked for.

const INDEX = JSON.parse(byId('index').textContent);

// Points of the history. The new side is the last one, which it is not yet where the history has earlier results only.
const POINTS = INDEX.points;
const NOW_IS_ADDED = POINTS.length > 0 && (POINTS.at(-1).commit !== INDEX.new.commit || POINTS.at(-1).dirty !== INDEX.new.dirty);
if (NOW_IS_ADDED) POINTS.push(INDEX.new);

// The history of a figure up to the new side.
function upToNow(points, after) {
  if (!NOW_IS_ADDED || after === undefined || points.at(-1)?.[1] === after) return points;
  return [...points, [POINTS.length - 1, after]];
}

// Rows of the table in the order of the index, with the name that stands in them. Names may occur in several packages;
// a key is a name that occurs once, so that an address finds its benchmark again in the page of the next run.
const BENCHMARKS = [];
{
  const seen = new Map();
  for (const row of byId('benchmarks').tBodies[0].rows) {
    const name = row.cells[0].textContent;
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    const place = Number(row.dataset.i);
    const {v: values, h: history, d: detailed} = INDEX.benchmarks[place];
    BENCHMARKS[place] = {
      row,
      place,
      name,
      values,
      history,
      detailed,
      key: before ? `${name}~${before + 1}` : name,
      sought: name.toLowerCase(),
      class: row.dataset.c,
      changed: row.dataset.c !== 'same',
    };
  }
}

const inflated = new Map();

// Details of a benchmark. Fails with a line for people.
async function details(place) {
  if (!inflated.has(place)) inflated.set(place, await inflate(place));
  return inflated.get(place);
}

// The element with the details of a benchmark. They stand behind the script, since the table needs none of them.
async function packedDetails(place) {
  const isRead = () => document.readyState !== 'loading' || byId(`d${place}`)?.nextElementSibling;
  if (!isRead()) await new Promise(resolve => addEventListener('DOMContentLoaded', resolve, {once: true}));
  return byId(`d${place}`);
}

async function inflate(place) {
  const packed = await packedDetails(place);
  if (!packed) throw new Error('This page has no details of this benchmark.');
  if (!canInflate()) {
    throw new Error('Details are compressed, and this browser cannot inflate them: Chromium 103, Firefox 113 and Safari 16.4 can.');
  }
  const bytes = Uint8Array.from(atob(packed.textContent.trim()), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}

function canInflate() {
  try {
    return Boolean(new DecompressionStream('deflate-raw'));
  } catch {
    return false;
  }
}
