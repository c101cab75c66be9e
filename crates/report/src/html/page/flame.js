// Part: the flamegraph, with the root at the top. A canvas for the picture; buttons and a line of text beside it say all that it
// shows, for those who do not see it.

const ROWS = 400; // deeper frames are seen after a zoom; canvases have a largest height
const LEGENDS = {
  crates: '. Colours are crates; the standard library and libraries of the system are grey.',
  diff: ', of the larger side. Red: more than before, blue: less. Strong: the frame itself; pale: only frames below it.',
};

function flamePart(data) {
  if (!data.flame) return [empty('There is no flamegraph: the side has no digest with costs by function.')];
  const frames = flameTree(data.flame);
  const flame = {
    data,
    frames,
    both: data.flame.old > 0,
    most: frames.reduce((most, frame) => Math.max(most, Math.abs(frame.ownNew - frame.ownOld)), 1),
    boxes: [], //      what is painted
    pointed: null, // frame below the mouse
    walked: null, //  frame that the keyboard has come to
    width: 0,
    ...flameElements(data.flame.old > 0),
  };
  listenToMouse(flame);
  listenToKeys(flame);
  const holder = element('div', {class: 'flame'}, flame.canvas);
  new ResizeObserver(() => holder.clientWidth !== flame.width && drawFlame(flame)).observe(holder);
  const controls = element('div', {class: 'controls'}, flame.views, flame.find, flame.found);
  return {
    content: [controls, flame.path, holder, flame.line, flame.legend],
    update: () => updateFlame(flame),
    draw: () => drawFlame(flame),
  };
}

function flameElements(both) {
  const sides = [['new', 'New']];
  if (both) sides.push(['old', 'Old'], ['diff', 'Difference']);
  return {
    canvas: element('canvas', {
      tabindex: '0',
      role: 'application',
      'aria-roledescription': 'flamegraph',
      'aria-label': 'Flamegraph: arrows go from frame to frame, Enter zooms, Backspace zooms out',
      'aria-describedby': 'flame-line',
    }),
    views: choice('Side', sides, view => go({view})),
    find: searchField('Mark frames', text => amend({find: text})),
    found: element('output', {class: 'dim'}),
    path: element('nav', {class: 'crumbs', 'aria-label': 'Zoom'}),
    line: element('p', {id: 'flame-line', class: 'frame-line', 'aria-live': 'polite'}),
    legend: element('p', {class: 'remark'}),
  };
}

// What the state says of a flamegraph.
const sideOf = flame => (flame.both && ['old', 'diff'].includes(state.view) ? state.view : 'new');
const rootOf = flame => flame.frames[Number(state.zoom)] ?? flame.frames[0];
const soughtFrames = () => state.find.trim().toLowerCase();
const zoomTo = frame => go({zoom: frame.i ? String(frame.i) : ''});

function updateFlame(flame) {
  const [side, root, sought] = [sideOf(flame), rootOf(flame), soughtFrames()];
  if (flame.find.value !== state.find) flame.find.value = state.find;
  press(flame.views, side);
  flame.found.textContent = sought ? `${share(markedCost(root, side, sought), root[side]) || '0%'} marked` : '';
  const legend = `Width: ${flame.data.flame.metric}${side === 'diff' ? LEGENDS.diff : LEGENDS.crates} A line below a frame: inlined (dashed: some calls only).`;
  flame.legend.textContent = root[side] ? legend : 'This side has no costs here.';
  showZoom(flame, root);
  drawFlame(flame);
  describeFrame(flame);
}

function drawFlame(flame) {
  const {canvas} = flame;
  const width = canvas.parentElement?.clientWidth ?? 0;
  if (!width) return;
  const [side, root] = [sideOf(flame), rootOf(flame)];
  const boxes = flameBoxes(root, side, width).filter(box => box.row < ROWS);
  Object.assign(flame, {boxes, width});
  if (!boxes.some(box => box.frame === flame.walked)) flame.walked = null;
  const height = ROW * boxes.reduce((most, box) => Math.max(most, box.row + 1), 1);
  const walked = document.activeElement === canvas ? (flame.walked ?? root) : null;
  paintFlame(canvas, boxes, {width, height, side, walked, sought: soughtFrames(), most: flame.most, pointed: flame.pointed});
}

// The frame that is looked at, in words.
function describeFrame(flame) {
  const frame = flame.pointed ?? flame.walked ?? rootOf(flame);
  const side = sideOf(flame);
  const part = name => `${name} ${figure(frame[name])} (${share(frame[name], flame.frames[0][name]) || '0%'}) `;
  refilled(
    flame.line,
    element('b', {class: 'name'}, frame.name),
    inlinedTag(frame),
    ' ',
    side !== 'old' && part('new'),
    side !== 'new' && part('old'),
    side === 'diff' && element('b', {class: tone(frame.new - frame.old)}, signed(frame.new - frame.old)),
    frame.file && element('span', {class: 'dim'}, ` ${frame.file}`),
  );
}

// The frames above the one that fills the picture, and where else that one is.
function showZoom({frames, data, path}, root) {
  const above = flamePath(frames, root).slice(0, -1);
  const crumbs = above.map(frame => [
    button(shortened(frame.name, 40), () => zoomTo(frame), {class: 'link name', title: frame.name.slice(0, 300)}),
    element('span', {'aria-hidden': 'true'}, '›'),
  ]);
  const links = element('span', {class: 'links'}, placesOf(data, root.name, {}, 'flame'));
  refilled(path, crumbs, element('b', {class: 'name', 'aria-current': 'true'}, shortened(root.name, 60)), links);
}

function listenToMouse(flame) {
  const {canvas} = flame;
  const below = event => {
    const place = canvas.getBoundingClientRect();
    const [x, row] = [event.clientX - place.left, Math.floor((event.clientY - place.top) / ROW)];
    return flame.boxes.find(box => box.row === row && x >= box.x && x < box.x + box.width)?.frame ?? null;
  };
  const point = frame => {
    if (frame === flame.pointed) return;
    flame.pointed = frame;
    canvas.classList.toggle('over', Boolean(frame));
    drawFlame(flame);
    describeFrame(flame);
  };
  canvas.addEventListener('mousemove', event => point(below(event)));
  canvas.addEventListener('mouseleave', () => point(null));
  canvas.addEventListener('click', event => {
    const frame = below(event);
    if (frame) zoomTo(frame === rootOf(flame) && frame.i ? flame.frames[frame.parent] : frame);
  });
}

function listenToKeys(flame) {
  const {canvas, frames} = flame;
  for (const kind of ['focus', 'blur']) canvas.addEventListener(kind, () => drawFlame(flame));
  canvas.addEventListener('keydown', event => {
    const root = rootOf(flame);
    const at = flame.walked ?? root;
    if (event.key === 'Enter') zoomTo(at);
    else if (event.key === 'Backspace' || (event.key === 'ArrowUp' && at === root)) zoomTo(frames[root.parent] ?? root);
    else if (/^(Arrow|Home)/.test(event.key)) {
      flame.walked = neighbour(flame.boxes, at, event.key);
      drawFlame(flame);
      describeFrame(flame);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

const inlinedTag = ({inlined, partly}) =>
  (inlined || partly) &&
  element(
    'span',
    {class: 'tag', title: partly ? 'the compiler inlined only some of the calls' : 'the compiler inlined it'},
    partly ? 'inl?' : 'inl',
  );
