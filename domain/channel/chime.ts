/**
 * Audio of a default recording until the store replaces it: two soft bell tones. It is a placeholder without speech, since there is no
 * recorded voice. Each store should replace its defaults.
 */
const RATE = 16_000;
const TONES = [
  { hertz: 659.25, from: 0 },
  { hertz: 523.25, from: 0.45 },
] as const;
const LOUDNESS = 0.35;
const FADE = 3.5;

export const CHIME_MS = 2_000;
export const CHIME_BYTES = 44 + (RATE * CHIME_MS * 2) / 1000;
export const CHIME_MIME = 'audio/wav';

/** Each tone starts suddenly and fades, as a bell does. The last tenth of a second fades to silence. */
function loudnessAt(seconds: number): number {
  const rings = TONES.filter(({ from }) => seconds >= from).map(({ hertz, from }) => {
    const since = seconds - from;
    return Math.sin(2 * Math.PI * hertz * since) * Math.exp(-FADE * since) * Math.min(1, since * 200);
  });
  const end = Math.min(1, (CHIME_MS / 1000 - seconds) * 10);
  return rings.reduce((sum, ring) => sum + ring, 0) * LOUDNESS * end;
}

/** Returns a WAV file: 16-bit PCM, one channel, 16 kHz, two seconds. The bytes are the same each time. */
export function chime(): Buffer {
  const file = Buffer.alloc(CHIME_BYTES);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(CHIME_BYTES - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(RATE * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(CHIME_BYTES - 44, 40);
  for (let sample = 0; 44 + sample * 2 < CHIME_BYTES; sample += 1)
    file.writeInt16LE(Math.round(loudnessAt(sample / RATE) * 32_767), 44 + sample * 2);
  return file;
}
