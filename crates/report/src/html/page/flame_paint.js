// Paints frames on a canvas.

const ROW = 19; // height of a frame

// `look` has the size of the picture, the side, the text that marks frames, and the frames that the mouse and the keyboard are at.
function paintFlame(canvas, boxes, look) {
  const sharp = devicePixelRatio || 1;
  canvas.style.height = `${look.height}px`;
  canvas.style.width = `${look.width}px`;
  [canvas.width, canvas.height] = [Math.round(look.width * sharp), Math.round(look.height * sharp)];
  const paint = canvas.getContext('2d');
  paint.scale(sharp, sharp);
  const style = getComputedStyle(canvas);
  const colour = name => style.getPropertyValue(`--${name}`).trim();
  paint.font = `11px ${colour('code-font')}`;
  paint.textBaseline = 'middle';
  const brush = {
    ...look,
    paint,
    colour,
    letter: paint.measureText('0000000000').width / 10,
    crates: new Map(),
  };
  for (const box of boxes) paintFrame(brush, box);
}

function paintFrame(brush, {frame, x, width, row}) {
  const {paint, colour, side, sought} = brush;
  const [top, room] = [row * ROW, Math.max(width - 1, 0.5)];
  const hit = marked(frame, sought);
  const plain = side === 'diff' ? differenceColour(frame, brush.most, colour) : crateColour(frame.name, brush.crates, colour);
  paint.fillStyle = hit ? colour('mark') : plain;
  paint.globalAlpha = sought && !hit ? 0.45 : 1;
  paint.fillRect(x, top, room, ROW - 1);
  if ((frame.inlined || frame.partly) && room > 3) {
    paint.strokeStyle = colour('flame-dim');
    paint.setLineDash(frame.partly ? [3, 2] : []);
    paint.beginPath();
    paint.moveTo(x, top + ROW - 2.5);
    paint.lineTo(x + room, top + ROW - 2.5);
    paint.stroke();
    paint.setLineDash([]);
  }
  paint.globalAlpha = 1;
  if (frame === brush.walked || frame === brush.pointed) {
    paint.strokeStyle = colour(frame === brush.walked ? 'accent' : 'flame-ink');
    paint.lineWidth = frame === brush.walked ? 2 : 1;
    paint.strokeRect(x + 1, top + 1, Math.max(room - 2, 1), ROW - 3);
    paint.lineWidth = 1;
  }
  paintName(brush, frame, {x, top, room, hit});
}

// As much of the name as there is room for, and the badge at the end if there is more.
function paintName({paint, colour, letter}, frame, {x, top, room, hit}) {
  const letters = Math.floor((room - 8) / letter);
  if (letters < 3) return;
  const text = shortened(frame.name, letters);
  const tag = frame.partly ? 'inl?' : frame.inlined ? 'inl' : '';
  paint.fillStyle = colour(hit ? 'mark-ink' : 'flame-ink');
  paint.fillText(text, x + 4, top + ROW / 2);
  if (!tag || letters <= text.length + tag.length + 1) return;
  paint.fillStyle = colour(hit ? 'mark-ink' : 'flame-dim');
  paint.fillText(tag, x + room - 4 - tag.length * letter, top + ROW / 2);
}

// The crate of a name has a colour in the order in which crates come; libraries and the standard library are grey.
function crateColour(name, crates, colour) {
  const crate = /^[<&*\[( ]*(?:dyn |mut )?([A-Za-z0-9_]+)::/.exec(name)?.[1];
  if (!crate || ['std', 'core', 'alloc'].includes(crate)) return colour(crate ? 'flame-std' : 'flame-system');
  if (!crates.has(crate)) crates.set(crate, crates.size % 6);
  return colour(`flame-${crates.get(crate)}`);
}

// Strong where the own costs of a frame differ, beside the one that differs most; pale where only those below do.
function differenceColour(frame, most, colour) {
  const own = frame.ownNew - frame.ownOld;
  const step = frame.new - frame.old;
  const strength = Math.abs(own) / most;
  if (strength < 0.01) return colour(step ? `flame-${step > 0 ? 'more' : 'less'}-1` : 'flame-same');
  return colour(`flame-${own > 0 ? 'more' : 'less'}-${strength < 0.2 ? 2 : 3}`);
}
