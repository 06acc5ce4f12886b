/** TypeScript that takes an event of this type, with the project's client. */
export const receiverSample = (type: string): string => `import { verifyWebhook } from '@suuq/client';

export async function receive(request: Request): Promise<Response> {
  const raw = await request.arrayBuffer(); // before any parser
  const header = request.headers.get('service-signature');
  const event = await verifyWebhook(raw, header, process.env.SUUQ_WEBHOOK_SECRET!);
  if (event.type === '${type}') {
    // Store the event once per event.id, and process it afterwards.
    console.log(event.id, event.data);
  }
  return new Response(null, { status: 204 });
}
`;
