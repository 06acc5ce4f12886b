import { money } from './format.js';
import { type PricingStep, priceSteps } from './orderFacts.js';
import { Own } from './parts.js';

/** The steps from the price of the lines to the total: discounts, fees and the bar of each. */
export function PriceSteps({ steps, currency }: { steps: readonly PricingStep[]; currency: string }) {
  const { steps: price, notes } = priceSteps(steps, currency);
  const most = Math.max(1, ...price.map(({ cents }) => Math.abs(cents)));
  return (
    <>
      <ol class="price">
        {price.map(({ name, why, cents, kind }) => (
          <li key={name + why} class={kind}>
            <span class="name">
              <Own text={name} />
              {why !== undefined && why !== '' && (
                <small class="fine">
                  <Own text={why} />
                </small>
              )}
            </span>
            <span class="bar" aria-hidden="true">
              <i style={{ width: `${Math.max(1, (Math.abs(cents) / most) * 100)}%` }} />
            </span>
            <span class="num">{money(cents, currency)}</span>
          </li>
        ))}
      </ol>
      {notes.map((note) => (
        <p class="fine" key={note}>
          <Own text={note} />
        </p>
      ))}
    </>
  );
}
