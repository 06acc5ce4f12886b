/** The endpoint cannot listen at its address; the message says where and why. */
export class EndpointCannotListen extends Error {
  override readonly name = 'EndpointCannotListen';
}
