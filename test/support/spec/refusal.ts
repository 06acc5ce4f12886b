/** Returns the error that the work rejects with. Throws if the work succeeds. */
export async function refusal(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error('expected a refusal');
}
