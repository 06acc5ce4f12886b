/** The ids of one store's day, which the samples share: what a sample names, another one shows. */
export const IDS = {
  workspace: '3f2c1a9e-5b7d-4c8e-9a10-2b3c4d5e6f70',
  partner: '7d0f6a52-9d1e-4f0c-8a53-5f3e0b6a1c11',
  order: 'b3a1f0de-4c52-4f6b-9d0e-6a7b8c9d0e1f',
  conversation: '5e8f7a6b-1c2d-4e3f-8a9b-0c1d2e3f4a5b',
  contact: '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
  number: '9c8b7a69-5847-4d36-b251-4a3b2c1d0e9f',
  message: '2d4e6f80-1a3b-4c5d-8e7f-9a0b1c2d3e4f',
  answer: '4f5a6b7c-8d9e-4f0a-b1c2-d3e4f5a6b7c8',
  team: '6b7c8d9e-0f1a-4b2c-8d3e-4f5a6b7c8d9e',
  member: '8d9e0f1a-2b3c-4d4e-9f5a-6b7c8d9e0f1a',
  user: 'a0b1c2d3-e4f5-4a6b-87c8-d9e0f1a2b3c4',
  session: 'c2d3e4f5-a6b7-4c8d-99e0-f1a2b3c4d5e6',
  list: 'd3e4f5a6-b7c8-4d9e-a0f1-a2b3c4d5e6f7',
  promotion: 'e4f5a6b7-c8d9-4e0f-b1a2-b3c4d5e6f7a8',
  area: 'f5a6b7c8-d9e0-4f1a-82b3-c4d5e6f7a8b9',
  file: '16a7b8c9-d0e1-4f2a-93b4-c5d6e7f8a9b0',
  recording: '27b8c9d0-e1f2-4a3b-a4c5-d6e7f8a9b0c1',
  template: '38c9d0e1-f2a3-4b4c-b5d6-e7f8a9b0c1d2',
  endpoint: '49d0e1f2-a3b4-4c5d-86e7-f8a9b0c1d2e3',
  event: '5b0a6a0e-5d2e-5c0f-9f7e-1f6c3f1f8a11',
  test: '6be1f2a3-b4c5-4d6e-97f8-a9b0c1d2e3f4',
  delivery: '7cf2a3b4-c5d6-4e7f-a8a9-b0c1d2e3f4a5',
  key: '8da3b4c5-d6e7-4f8a-b9b0-c1d2e3f4a5b6',
} as const;

/** A moment of that day, as RFC 3339 in UTC. */
export const at = (time: string): string => `2026-11-21T${time}Z`;

/** A cursor for samples. */
export const CURSOR = 'Vf2p0mZr7QbN1xYcK4sTgWeHWyIyMDI2LTExLTIxVDA4OjMwOjAwWiIsImIzYTEiXQ';
