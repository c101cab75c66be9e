// Part: all metrics of a benchmark, a table for each tool.

function metricsPart(data) {
  return data.tools.map(({tool, rows, remarks}) => {
    const owned = rows.some(row => row.own);
    const limited = rows.some(row => row.limit);
    const figures = [right('Old'), right('New'), right('Difference'), right('Change')];
    const heads = ['Metric', ...figures, owned && right('In own code'), limited && right('Limit'), 'Class'];
    const lines = rows.map(row => metricLine(row, owned, limited));
    return section(tool, tableOf('metrics', `Metrics of ${tool}`, heads, lines), remarks?.map(remark));
  });
}

function metricLine({m, old: before, new: after, pct, class: word, limit, own}, owned, limited) {
  const {label, better, unit} = INDEX.metrics[m];
  const both = typeof before === 'number' && typeof after === 'number';
  return line(
    {'data-c': word},
    element('th', {scope: 'row'}, label, unit && element('small', {}, ` ${unit}`)),
    numberCell(figure(before)),
    numberCell(figure(after)),
    differenceCell(both ? after - before : null, undefined, better),
    differenceCell(pct, percent(pct), better),
    owned && numberCell(own ? ownText(own) : ''),
    limited && numberCell(limit ?? ''),
    cell({}, word === 'same' ? '' : badge(word, word.replaceAll('-', ' '))),
  );
}

// The change that was judged, where own code alone is.
function ownText([before, after, pct]) {
  const change = before === after ? 'same' : percent(pct);
  return `${figure(before)} → ${figure(after)}${change && `  ${change}`}`;
}
