/** A delivery of the channel's webhook, made into updates. Whatever comes, nothing throws and no good part is lost. */
import type {
  InboundUpdates,
  NumberUpdates,
  ReceivedAside,
  ReceivedCall,
  ReceivedMessage,
  ReceivedNewPhone,
  ReceivedNotice,
  ReceivedStatus,
} from '../../application/channel/inboundUpdates.js';
import type { JsonObject } from '../../domain/jsonObject.js';
import { list, record } from '../untypedJson.js';
import { cleanText } from './cleanText.js';
import { asideOf, isOfGroup } from './inboundAside.js';
import { callOf, messageOf, statusOf } from './inboundParts.js';
import { contactsOf } from './inboundSenders.js';

interface Gathered extends NumberUpdates {
  readonly messages: ReceivedMessage[];
  readonly statuses: ReceivedStatus[];
  readonly calls: ReceivedCall[];
  readonly newPhones: ReceivedNewPhone[];
  readonly notices: ReceivedNotice[];
  readonly setAside: ReceivedAside[];
}

/** Gathers the parts of one delivery by the business number that they are about. */
class Reading {
  malformed = 0;
  readonly numbers = new Map<string, Gathered>();
  readonly #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  change(field: unknown, value: unknown): void {
    if (field === 'messages') this.#messages(record(value));
    else if (field === 'calls') this.#calls(record(value));
    // Other fields are about other things than messages, their statuses and calls.
    else if (typeof field !== 'string') this.malformed++;
  }

  #messages(value: JsonObject | undefined): void {
    const number = this.#numberOf(value);
    if (value === undefined || number === undefined) return;
    const contacts = contactsOf(value);
    const aside = (one: unknown) => number.setAside.push(asideOf(one, contacts));
    const messages = list(value.messages);
    for (const one of messages.filter(isOfGroup)) aside(one);
    this.#each(
      messages.filter((one) => !isOfGroup(one)),
      (one) => messageOf(one, contacts, this.#now),
      (found) => {
        if ('content' in found) number.messages.push(found);
        else if ('notice' in found) number.notices.push(found);
        else number.newPhones.push(found);
      },
      aside,
    );
    this.#each(
      value.statuses,
      (one) => statusOf(one, this.#now),
      (found) => number.statuses.push(found),
    );
  }

  #calls(value: JsonObject | undefined): void {
    const number = this.#numberOf(value);
    if (value === undefined || number === undefined) return;
    const contacts = contactsOf(value);
    this.#each(
      value.calls,
      (one) => callOf(one, contacts, this.#now),
      (found) => found !== null && number.calls.push(found),
      (one) => number.setAside.push(asideOf(one, contacts)),
    );
  }

  #numberOf(value: JsonObject | undefined): Gathered | undefined {
    const named = cleanText(record(value?.metadata)?.phone_number_id, 64);
    if (named === undefined) this.malformed++;
    if (value === undefined) return undefined;
    const phoneNumberId = named ?? '';
    let number = this.numbers.get(phoneNumberId);
    if (number === undefined) {
      number = { phoneNumberId, messages: [], statuses: [], calls: [], newPhones: [], notices: [], setAside: [] };
      this.numbers.set(phoneNumberId, number);
    }
    return number;
  }

  #each<T>(
    values: unknown,
    read: (value: unknown) => T | undefined,
    take: (found: T) => unknown,
    otherwise: (value: unknown) => unknown = () => undefined,
  ): void {
    for (const value of list(values)) {
      const found = read(value);
      if (found !== undefined) take(found);
      else {
        this.malformed++;
        otherwise(value);
      }
    }
  }
}

/** Reads what it can of the parsed body. `now`: ms since 1970. */
export function inboundUpdates(body: unknown, now: number): InboundUpdates {
  const reading = new Reading(now);
  const entries = record(body)?.entry;
  if (!Array.isArray(entries)) reading.malformed++;
  for (const entry of list(entries)) {
    const changes = record(entry)?.changes;
    if (!Array.isArray(changes)) reading.malformed++;
    for (const change of list(changes)) {
      const { field, value } = record(change) ?? {};
      reading.change(field, value);
    }
  }
  // Of a delivery that names no number, what customers sent is stored all the same.
  const isOfAny = ({ phoneNumberId, messages, calls, setAside }: Gathered): boolean =>
    phoneNumberId !== '' || messages.length + calls.length + setAside.length > 0;
  return { numbers: [...reading.numbers.values()].filter(isOfAny), malformed: reading.malformed };
}
