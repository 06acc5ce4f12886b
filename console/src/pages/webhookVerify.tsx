/** How a receiver verifies what this endpoint is sent, in the developer's language. The texts are loaded when somebody looks. */
import { Json } from '../ui/json.js';
import { useLoad } from '../ui/load.js';
import { refine, usePlace } from '../ui/router.js';
import { Shown } from '../ui/states.js';

const LANGUAGES = {
  typescript: { name: 'TypeScript', load: () => import('../../verify/client.txt?raw') },
  node: { name: 'Node', load: () => import('../../verify/verify.js?raw') },
  python: { name: 'Python', load: () => import('../../verify/verify.py?raw') },
  go: { name: 'Go', load: () => import('../../verify/verify.go?raw') },
  java: { name: 'Java', load: () => import('../../verify/Verify.java?raw') },
} as const;

type Language = keyof typeof LANGUAGES;
const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(LANGUAGES, text);

function Text({ language }: { language: Language }) {
  const load = useLoad(`verify ${language}`, async () => (await LANGUAGES[language].load()).default);
  return (
    <Shown load={load} rows={6}>
      {(text) => <Json value={text} label={`Verifying in ${LANGUAGES[language].name}`} />}
    </Shown>
  );
}

export function HowToVerify() {
  const { query } = usePlace();
  const requested = query.get('verify');
  const chosen = isLanguage(requested) ? requested : undefined;
  return (
    <section class="verify" aria-label="How to verify">
      <div class="tabs">
        <span class="soft">How to verify in</span>
        {Object.entries(LANGUAGES).map(([key, { name }]) => (
          <button
            key={key}
            type="button"
            aria-pressed={key === chosen}
            onClick={() => refine({ verify: key === chosen ? undefined : key })}
          >
            {name}
          </button>
        ))}
      </div>
      {chosen !== undefined && (
        <>
          <p class="fine">
            Verify the raw bytes of the body, before parsing. Respond with 2xx within 10 seconds, then process the
            event. The same <code>id</code> may come more than once.
          </p>
          <Text language={chosen} />
        </>
      )}
    </section>
  );
}
