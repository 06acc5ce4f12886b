/** The endpoint cannot listen at its address. The message names the address and the reason. */
export class EndpointCannotListen extends Error {
  override readonly name = 'EndpointCannotListen';
}
