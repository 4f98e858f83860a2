let audio = null;

/** A stone on wood: a short burst of noise through a narrow filter. */
export function click() {
  audio ??= new AudioContext();
  const length = Math.floor(audio.sampleRate * 0.05);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp((-9 * i) / length);
  const source = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: 1700, Q: 1.5 });
  const volume = new GainNode(audio, { gain: 0.5 });
  source.connect(filter).connect(volume).connect(audio.destination);
  source.start();
}
