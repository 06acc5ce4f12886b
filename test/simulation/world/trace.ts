/** Trace of all steps: a hash that changes with any step, and optional printed lines. */
export interface Trace {
  note(line: string): void;
  /** 16 hexadecimal digits. */
  hash(): string;
}

const hex = (part: number): string => (part >>> 0).toString(16).padStart(8, '0');

export function trace(print?: (line: string) => void): Trace {
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  return {
    note(line) {
      for (let i = 0; i < line.length; i++) {
        const unit = line.charCodeAt(i);
        a = Math.imul(a ^ unit, 0x01000193);
        b = Math.imul(b ^ unit, 0x85ebca6b) + 0x27d4eb2f;
      }
      print?.(line);
    },
    hash: () => hex(a) + hex(b),
  };
}
