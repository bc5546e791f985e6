// The page: asks for images as fast as they come, for curves now and then, and for nothing while it is hidden.
const seen = { images: 0, draws: [], is_over: false, view: 0 };
let about, moment = {}, known = null, pinned = null;
const field = new Field(by('field'), 'canvas', async (i, j) => (await asJson(`/number?${view()}&i=${i}&j=${j}`)).number);

const shown = () => about.shown[by('shown').selectedIndex];
const view = () => {
  const parts = [`shown=${shown().name}`];
  if (!about.is_plane) parts.push(`normal=${by('normal').selectedIndex}`, `position=${by('position').value}`);
  return parts.join('&');
};

const tell = (now) => {
  moment = now;
  const state = now.is_going ? 'going' : now.has_ended ? 'at its end' : 'paused';
  by('state').textContent = state;
  by('state').className = `state ${now.is_going ? 'going' : now.has_ended ? 'over' : ''}`;
  by('go').textContent = now.is_going ? 'pause' : 'go';
  by('step').textContent = String(now.step);
  by('time').textContent = `${words(now.time, 4)} s`;
  by('residual').textContent = `${words(now.residual, 2)} /s`;
  const changes = now.changes ?? [];
  by('changes').hidden = changes.length === 0;
  if (by('changes').childElementCount !== changes.length) {
    by('changes').replaceChildren(...changes.map((one) => {
      const line = document.createElement('li');
      line.textContent = `after step ${one.step}: ${one.sets.join(', ')}`;
      return line;
    }));
    by('changes').scrollTop = 1e6;
  }
};

const refuse = (refused) => {
  by('refused').hidden = !refused;
  by('refused').textContent = refused ? `${refused.problem}. ${refused.remedy}.` : '';
};

const over = (words) => {
  seen.is_over = true;
  by('state').textContent = words;
  by('state').className = 'state lost';
  for (const one of document.querySelectorAll('button:not(#save), .side input, #shown, #normal, #position')) one.disabled = true;
};

const order = async (word, value = true) => {
  const answer = await asJson('/command', { method: 'POST', body: JSON.stringify({ [word]: value }) });
  refuse(answer.refused);
  if (answer.step !== undefined) tell(answer);
  return answer;
};

// The next image of the view; none if the run has not gone on.
const look = async () => {
  const number = seen.view, points = field.points.query, asked = `/image?${view()}${points}${known === null ? '' : `&known=${known}`}`;
  const answer = await ask(pinned ? `${asked}&low=${pinned[0]}&high=${pinned[1]}` : asked);
  if (!answer.ok) return answer.status === 401 || answer.status === 403 ? over('not allowed') : pause(500);
  const [now, bytes] = await parts(answer);
  if (!bytes) {
    refuse(now.refused);
    return pause(500);
  }
  tell(now);
  if (!now.image || number !== seen.view) return undefined;
  known = now.image.step;
  field.draw(about.axes, shown(), now.image, bytes);
  if (points === field.points.query) field.keep(...(now.image.time > 0 || now.image.step === 0 ? [now.image.time ?? 0, 't in s'] : [now.image.step, 'iterations']), now.image.values);
  seen.images += 1;
  const time = performance.now();
  seen.draws = [...seen.draws.filter((one) => time - one < 3000), time];
  const span = time - seen.draws[0];
  by('rate').textContent = span > 300 ? `${(1000 * (seen.draws.length - 1) / span).toFixed(1)} /s` : '–';
  return undefined;
};

const looks = async () => {
  let missed = 0;
  while (!seen.is_over) {
    if (document.hidden) { await pause(200); continue; }
    try {
      await look();
      missed = 0;
    } catch {
      missed += 1;
      if (missed > 3) over('the run is over');
      await pause(300);
    }
  }
};

// The velocity that streamlines go through, twice a second at most.
const streams = async () => {
  let of = null;
  while (!seen.is_over) {
    await pause(500);
    const asked = view();
    if (document.hidden || !field.image || !by('lines').checked) continue;
    try {
      const known = of === asked ? `&known=${seen.streamed}` : '', [now, bytes] = await parts(await ask(`/velocity?${asked}${known}`));
      if (!bytes?.length || asked !== view()) continue;
      [of, seen.streamed] = [asked, now.step];
      field.stream(now, bytes);
      seen.lines = field.lines.lines.length;
      if (!moment.is_going) again();
    } catch { /* the images will tell */ }
  }
};
// The same image once more.
const again = () => { known = null; };

const charts = {};
const chart = (name, ...how) => (charts[name] ??= new Chart(name, ...how));
const curves = async () => {
  const forces = about.has_forces ? 1 : 0, all = await asJson(`/course?forces=${forces}&profiles=1`);
  if (all.refused) return refuse(all.refused);
  // A flow that is found without following it has no time.
  const timed = all.residuals.some((one) => one[1] > 0), x = (one) => (timed ? one[1] : one[0]);
  chart('Residual in 1/s', timed ? 't in s' : 'iterations', true, 'beside').draw([
    { name: 'residual', points: all.residuals.map((one) => [x(one), one[2]]) },
    ...(about.is_steady ? [{ name: 'iteration error', points: all.residuals.map((one) => [x(one), one[3] ?? NaN]) }] : []),
  ]);
  for (const [n, body] of (all.forces?.length ? about.bodies : []).entries()) {
    const of = (d) => all.forces.map(([time, bodies]) => [time, bodies[n][d]]);
    chart(`Forces on ${body}`, 't in s').draw([{ name: 'drag coefficient', points: of(0) }, { name: 'lift coefficient', points: of(1) }]);
  }
  for (const one of all.profiles ?? []) {
    const lines = [{ name: 'computed', points: one.computed }];
    lines.push(...one.published.map(([name, points]) => ({ name, points, published: true })));
    chart(`${one.variable} at ${one.place}`, `${one.along} / length`).draw(lines);
  }
  return undefined;
};
const courses = async () => {
  while (!seen.is_over) {
    try { if (!document.hidden) await curves(); } catch { /* the images will tell */ }
    await pause(1000);
  }
};

const elsewhere = () => { field.points.forget(); field.stream(null, null); another(); };
const another = () => { seen.view += 1; known = null; pinned = null; by('hold').checked = false; place(); };
const place = () => { by('place').textContent = `${words(Number(by('position').value))} m`; };

// A plane across another direction lies in its middle at first.
const across = (normal, position) => {
  const axis = about.axes[normal];
  Object.assign(by('position'), { min: axis.low, max: axis.high });
  by('position').value = position ?? 0.5 * (axis.low + axis.high);
};

const slider = (one) => {
  const to = (x) => (one.log ? Math.log10(x) : x), from = (x) => (one.log ? 10 ** x : Number(x));
  const box = document.createElement('label'), name = document.createElement('span');
  const value = document.createElement('output'), input = document.createElement('input');
  box.className = 'slider';
  name.textContent = one.label;
  Object.assign(input, { type: 'range', min: to(one.low), max: to(one.high), step: (to(one.high) - to(one.low)) / 200, value: to(one.value) });
  input.dataset.key = one.key;
  const write = (x) => { value.textContent = `${words(x)} ${one.unit}`; };
  input.addEventListener('input', () => write(from(Number(input.value))));
  input.addEventListener('change', async () => {
    const answer = await order('set', { key: one.key, value: Number(from(Number(input.value)).toPrecision(4)) });
    const now = answer.sliders?.[one.key];
    if (now !== undefined && now !== null) { input.value = to(now); write(now); }
  });
  write(one.value);
  box.append(name, value, input);
  return box;
};

const begin = async () => {
  about = await asJson('/about');
  const cells = about.axes.map((axis) => axis.cells);
  document.title = `${about.title} · Vortice`;
  by('title').textContent = about.title;
  by('about').textContent = `${about.method}, ${(about.is_plane ? cells.slice(0, 2) : cells).join(' × ')} cells, ${about.precision}`;
  by('shown').append(...about.shown.map((one) => new Option(one.name)));
  by('plane').hidden = about.is_plane;
  by('normal').selectedIndex = about.normal;
  across(about.normal, about.position);
  place();
  by('sliders').append(...about.sliders.map(slider));
  by('shown').addEventListener('change', another);
  by('normal').addEventListener('change', () => { across(by('normal').selectedIndex); elsewhere(); });
  by('position').addEventListener('input', elsewhere);
  by('lines').addEventListener('change', () => { field.stream(null, null); seen.streamed = -1; again(); });
  field.changed = again;
  by('hold').addEventListener('change', () => { pinned = by('hold').checked && field.image ? field.image.colours : null; known = null; });
  by('go').addEventListener('click', () => order(moment.is_going ? 'pause' : 'go'));
  by('step-1').addEventListener('click', () => order('step', 1));
  by('step-100').addEventListener('click', () => order('step', 100));
  by('stop').addEventListener('click', async () => { await order('stop'); over('stopped: files are being written'); });
  by('save').addEventListener('click', () => {
    if (!field.image) return;
    const { step, time } = field.image;
    seen.picture = field.save(about.title, `step ${step}, t = ${words(time)} s`, `${shown().name}-${step}`);
  });
  window.addEventListener('resize', again);
  looks();
  streams();
  courses();
};
begin().catch(() => over('open the address that the terminal shows'));
