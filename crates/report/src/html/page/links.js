// Links between the parts: functions, frames, lines and machine code of one name lead to each other.

// A test whether a name is that of a function. Tables of functions leave out leading segments that nobody needs to tell one from another.
function isFunction(name) {
  const end = `::${name}`;
  return other => other === name || other.endsWith(end) || name.endsWith(`::${other}`);
}

// Whether a part of the details has something on a function, which a link may lead to.
const hasRow = (data, name) => Boolean(data.functions?.map(([known]) => known).some(isFunction(name)));
const hasLines = (data, name) => Boolean(data.lines?.map(one => one.function).some(isFunction(name)));
const hasCode = (data, name) => Boolean(data.asm?.map(one => one.function).some(isFunction(name)));
const hasFrames = (data, name) => Boolean(data.flame?.names.some(isFunction(name)));

// Links to all other places of a function.
function placesOf(data, name, style, here) {
  const link = (part, changes) => part !== here && button(part, () => go({p: part, ...changes}), style);
  return [
    hasFrames(data, name) && link('flame', {find: name, zoom: ''}),
    hasRow(data, name) && link('functions', {find: name}),
    hasLines(data, name) && link('source', {at: name}),
    hasCode(data, name) && link('asm', {at: name}),
  ];
}

// The head of a section about one function.
const functionHead = (data, name, about) =>
  element(
    'h3',
    {'data-at': name},
    element('span', {class: 'name'}, name),
    ' ',
    about,
    placesOf(data, name, {class: 'link place jump'}, openPart(data)),
  );

// The name of a function, which leads to its row.
const functionLink = (data, name) =>
  hasRow(data, name) ? button(name, () => go({p: 'functions', find: name}), {class: 'link name'}) : element('span', {class: 'name'}, name);

// A place in the source, which leads to its line.
function placeLink(file, number) {
  if (!file) return null;
  const place = number ? `${file}:${number}` : file;
  return button(place, () => go({p: 'source', at: place}), {class: 'link place'});
}

// The address of a file and line in the repository, if it is known.
function sourceAddress(file, number) {
  if (!INDEX.blob || !/^https?:/.test(INDEX.blob) || !file || file.startsWith('/')) return null;
  const path = file.split('/').map(encodeURIComponent).join('/');
  return `${INDEX.blob}${path}${number ? `#L${number}` : ''}`;
}

// A place of the source, or a function.
function isPlace(at) {
  const isThere = isFunction(at);
  return one => isThere(one.dataset.at);
}

// Brings the place that the state names into view, and marks it.
function lookAt() {
  for (const old of document.querySelectorAll('#part .looked-at')) old.classList.remove('looked-at');
  if (!state.at) return;
  const place = [...document.querySelectorAll('#part [data-at]')].find(isPlace(state.at));
  place?.classList.add('looked-at');
  place?.scrollIntoView({block: 'center'});
}
