// The tree of a flamegraph, and where its frames lie. Nothing here draws.

// Frames as values, the root first, each before its children. `diff` is the width where both sides lie in one picture: what
// a side has alone has a place as well, so nothing that went away is hidden.
function flameTree({names, files, nodes}) {
  const frames = nodes.map(([parent, name, flags, before, after], i) => ({
    i,
    parent,
    name: names[name],
    file: files?.[name] ?? '',
    inlined: flags === 1,
    partly: flags === 2,
    old: before,
    new: after,
    children: [],
    depth: 0,
    diff: 0,
    ownOld: before,
    ownNew: after,
  }));
  for (const frame of frames) {
    const above = frames[frame.parent];
    if (!above) continue;
    above.children.push(frame);
    frame.depth = above.depth + 1;
    above.ownOld -= frame.old;
    above.ownNew -= frame.new;
  }
  for (const frame of [...frames].reverse()) {
    frame.diff += Math.max(0, frame.ownOld, frame.ownNew);
    if (frames[frame.parent]) frames[frame.parent].diff += frame.diff;
  }
  return frames;
}

// Places of the frames below `root` in a picture of `width`: those that are wide enough to be seen.
function flameBoxes(root, side, width) {
  const boxes = [];
  const whole = root[side];
  if (!whole) return boxes;
  const waiting = [{frame: root, x: 0}];
  while (waiting.length) {
    const {frame, x} = waiting.pop();
    const wide = (width * frame[side]) / whole;
    boxes.push({frame, x, width: wide, row: frame.depth - root.depth});
    let left = x;
    for (const child of frame.children) {
      const size = (width * child[side]) / whole;
      if (size >= 0.4) waiting.push({frame: child, x: left});
      left += size;
    }
  }
  return boxes;
}

// The frames from the root down to `frame`.
function flamePath(frames, frame) {
  const path = [];
  for (let at = frame; at; at = frames[at.parent]) path.unshift(at);
  return path;
}

const marked = (frame, sought) => sought !== '' && (frame.name.toLowerCase().includes(sought) || frame.file.toLowerCase() === sought);

// What all marked frames below `root` cost; one inside of another counts once.
function markedCost(root, side, sought) {
  let sum = 0;
  const waiting = [root];
  while (waiting.length) {
    const frame = waiting.pop();
    if (marked(frame, sought)) sum += frame[side];
    else waiting.push(...frame.children);
  }
  return sum;
}

// The frame beside `frame` that a key leads to, among those that are seen.
function neighbour(boxes, frame, key) {
  const box = boxes.find(one => one.frame === frame);
  if (!box) return boxes[0]?.frame;
  const row = boxes.filter(one => one.row === box.row).sort((a, b) => a.x - b.x);
  const below = boxes.filter(one => one.frame.parent === frame.i);
  const at = row.indexOf(box);
  return (
    {
      ArrowUp: () => boxes.find(one => one.frame.i === frame.parent)?.frame,
      ArrowDown: () => below.sort((a, b) => b.width - a.width)[0]?.frame,
      ArrowLeft: () => row[at - 1]?.frame,
      ArrowRight: () => row[at + 1]?.frame,
      Home: () => boxes[0].frame,
    }[key]?.() ?? frame
  );
}

// A name that has room for so many letters: leading segments go first, then the end.
function shortened(name, letters) {
  let [depth, start] = [0, 0]; // where what is left begins
  for (let i = 0; name.length - start > letters && i < name.length - 2; i++) {
    depth += {'<': 1, '(': 1, '>': -1, ')': -1}[name[i]] ?? 0;
    if (depth === 0 && name.startsWith('::', i)) start = i + 2;
  }
  const left = name.slice(start);
  return left.length <= letters ? left : letters < 2 ? '' : `${left.slice(0, letters - 1)}…`;
}
