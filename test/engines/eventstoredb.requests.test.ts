/** Bytes of requests with fields that the client's own messages do not know. */
import messages from '@eventstore/db-client/generated/streams_pb.js';
import { expect } from 'chai';
import jspb from 'google-protobuf';
import duration from 'google-protobuf/google/protobuf/duration_pb.js';
import { appendRequest } from '../../infrastructure/eventstoredb/protocol.js';

const ID = '2c6f0b0e-6d52-4d7c-9a3e-0a2b5d1f9c11';

/** The fields of a message that are messages, by number. */
function fieldsOf(bytes: Uint8Array): Map<number, Uint8Array> {
  const reader = new jspb.BinaryReader(bytes);
  const found = new Map<number, Uint8Array>();
  while (reader.nextField()) {
    if (reader.getWireType() === 2) found.set(reader.getFieldNumber(), reader.readBytes() as Uint8Array);
    else reader.skipField();
  }
  return found;
}

describe('EventStoreDB adapter, requests', () => {
  it("sends an append's deadline as a duration, since the server's clock may differ", () => {
    const data = Buffer.from('{"a":1}');
    for (const stream of ['order-1', `order-${'x'.repeat(300)}`]) {
      const request = appendRequest(ID, stream, 'noStream', [{ id: ID, type: 'OrderPlaced', data, meta: data }]);
      const bytes = request.serializeBinary();
      const options = fieldsOf(fieldsOf(bytes).get(2)!);
      expect([...options.keys()]).to.deep.equal([1, 3, 7]);
      expect(duration.Duration.deserializeBinary(options.get(7)!).toObject()).to.deep.equal({ seconds: 60, nanos: 0 });
      // All other fields are as in the client's own messages.
      const read = messages.BatchAppendReq.deserializeBinary(bytes);
      expect(read.toObject()).to.deep.equal(request.toObject());
      expect(Buffer.from(read.getOptions()!.getStreamIdentifier()!.getStreamName_asU8()).toString()).to.equal(stream);
    }
  });
});
