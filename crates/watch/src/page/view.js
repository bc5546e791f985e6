// Finished runs: a slider over the times of the first, and beside it what the second had at the nearest time.
const seen = { images: 0, wanted: 0 };
let about, fields = [];

const shown = () => about.runs[0].shown[by('shown').selectedIndex];
const nearest = (times, time) => times.reduce((best, one, n) => (Math.abs(one - time) < Math.abs(times[best] - time) ? n : best), 0);
const times = () => {
  const first = Number(by('time').value), time = about.runs[0].times[first];
  return [first, about.runs[1] ? nearest(about.runs[1].times, time) : 0];
};
const query = (run) => {
  const [first, second] = times(), plane = about.runs[0].is_plane ? '' : `&normal=${by('normal').selectedIndex}&position=${by('position').value}`;
  return `run=${run}&shown=${shown().name}&first=${first}&second=${second}${plane}`;
};

// One after the other; both runs get the colours of the first.
const show = async () => {
  const wanted = ++seen.wanted, [first, second] = times();
  by('now').textContent = `${words(about.runs[0].times[first], 4)} s`;
  let colours = null;
  for (const one of fields) {
    const pinned = one.run === 1 && colours ? `&low=${colours[0]}&high=${colours[1]}` : '';
    const points = one.field.points.query, [now, bytes] = await parts(await ask(`/image?${query(one.run)}${pinned}${points}`));
    if (wanted !== seen.wanted) return;
    by('refused').hidden = !now.refused;
    if (!bytes) { by('refused').textContent = `${now.refused.problem}. ${now.refused.remedy}.`; return; }
    colours ??= now.image.colours;
    if (by('lines').checked && one.run !== 'difference') {
      const [sampled, samples] = await parts(await ask(`/velocity?${query(one.run)}`));
      if (wanted !== seen.wanted) return;
      one.field.image = now.image;
      one.field.resize(about.runs[one.run].axes);
      one.field.stream(sampled, samples?.length ? samples : null);
      seen.lines = one.field.lines?.lines.length ?? 0;
    } else one.field.stream(null, null);
    const about_one = about.runs[one.run === 1 ? 1 : 0], time = about_one.times[one.run === 1 ? second : first];
    one.field.draw(about_one.axes, one.run === 'difference' ? { ...shown(), name: `difference of ${shown().name}`, two_sided: true } : shown(), now.image, bytes);
    if (points === one.field.points.query) one.field.keep(time, 't in s', now.image.values);
    one.head.textContent = one.run === 'difference' ? 'the first less the second' : `${about_one.title} · ${about_one.method} · t = ${words(time, 4)} s`;
  }
  seen.images += 1;
};
const tryShow = () => show().catch(() => { by('refused').hidden = false; by('refused').textContent = 'The program that serves this page has ended.'; });

const across = (normal) => {
  const axis = about.runs[0].axes[normal];
  Object.assign(by('position'), { min: axis.low, max: axis.high });
  by('position').value = 0.5 * (axis.low + axis.high);
};
const place = () => { by('place').textContent = `${words(Number(by('position').value))} m`; };

const play = async () => {
  seen.isPlaying = !seen.isPlaying;
  by('play').textContent = seen.isPlaying ? 'pause' : 'play';
  const slider = by('time');
  if (Number(slider.value) >= Number(slider.max)) slider.value = 0;
  while (seen.isPlaying) {
    const begun = performance.now();
    await tryShow();
    await pause(Math.max(0, 100 - (performance.now() - begun)));
    if (Number(slider.value) >= Number(slider.max)) break;
    if (seen.isPlaying) slider.value = Number(slider.value) + 1;
  }
  seen.isPlaying = false;
  by('play').textContent = 'play';
};

const begin = async () => {
  about = await asJson('/about');
  const names = about.runs.map((_, n) => n).concat(about.has_difference ? ['difference'] : []);
  by('about').textContent = about.runs.map((run) => run.folder).join(' and ');
  by('shown').append(...about.runs[0].shown.map((one) => new Option(one.name)));
  fields = names.map((run) => {
    const head = make('h2'), box = make('div', { className: 'run' }, head);
    by('runs').append(box);
    const number = async (i, j) => (await asJson(`/number?${query(run)}&i=${i}&j=${j}`)).number;
    const name = names.length === 1 ? '' : run === 'difference' ? ', of the difference' : `, of the ${['first', 'second'][run]}`;
    const field = new Field(box, `canvas-${run}`, number, name), changes = about.runs[run]?.changes ?? [];
    field.changed = tryShow;
    box.append(make('ol', { hidden: !changes.length }, ...changes.map((one) => make('li', { textContent: `after step ${one.step}, t = ${words(one.time, 4)} s: ${one.sets.join(', ')}` }))));
    return { run, head, field };
  });
  by('time').max = about.runs[0].times.length - 1;
  by('time').value = by('time').max;
  by('play').disabled = about.runs[0].times.length < 2;
  by('plane').hidden = about.runs[0].is_plane;
  across(2);
  place();
  by('shown').addEventListener('change', tryShow);
  by('time').addEventListener('input', tryShow);
  const elsewhere = () => { for (const one of fields) one.field.points.forget(); place(); tryShow(); };
  by('position').addEventListener('input', elsewhere);
  by('normal').addEventListener('change', () => { across(by('normal').selectedIndex); elsewhere(); });
  by('lines').addEventListener('change', tryShow);
  by('play').addEventListener('click', play);
  by('save').addEventListener('click', () => {
    for (const one of fields) one.field.save(one.head.textContent, `t = ${by('now').textContent}`, `${shown().name}-${one.run}`);
  });
  window.addEventListener('resize', tryShow);
  await tryShow();
};
begin().catch(() => { by('about').textContent = 'open the address that the terminal shows'; });
