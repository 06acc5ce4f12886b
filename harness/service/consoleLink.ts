export interface SignedInBy {
  /** For `Cookie`. */
  readonly cookie: string;
  readonly session: { readonly role: string; readonly workspaceId?: string; readonly csrf: string };
}

/** Follows a link into the console of a running service, as its page does; answers the code of the refusal where it is refused. */
export async function followLink(link: string): Promise<SignedInBy | { readonly code: string }> {
  const { origin, hash } = new URL(link);
  const entered = await fetch(`${origin}/console/api/enter`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link: hash.slice(1) }),
  });
  if (entered.status !== 204) return (await entered.json()) as { code: string };
  const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
  const session = await fetch(`${origin}/console/api/session`, { headers: { cookie } });
  return { cookie, session: (await session.json()) as SignedInBy['session'] };
}

/** The same for a link that must not be refused. */
export async function signInBy(link: string): Promise<SignedInBy> {
  const followed = await followLink(link);
  if ('code' in followed) throw new Error(`the link was refused: ${followed.code}`);
  return followed;
}
