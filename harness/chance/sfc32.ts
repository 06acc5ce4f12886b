/**
 * The generator sfc32 (small fast counter) of the PractRand test suite, from a state of four 32-bit integers: each call answers the
 * next number, from 0, below 1. The same state gives the same sequence on every machine.
 */
export function sfc32(a: number, b: number, c: number, d: number): () => number {
  let [first, second, third, count] = [a, b, c, d];
  return () => {
    const sum = (((first + second) | 0) + count) | 0;
    count = (count + 1) | 0;
    first = second ^ (second >>> 9);
    second = (third + (third << 3)) | 0;
    third = (((third << 21) | (third >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  };
}
