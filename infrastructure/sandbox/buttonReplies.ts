/** Customers' taps: options of menus, and quick replies of templates. */
import { defined } from '../../domain/defined.js';
import { WrongBody } from './bodyText.js';
import { body, type Make } from './customerContext.js';
import { offeredOptions } from './offeredOptions.js';

/** A tap on an option of a menu: the newest one that has it, so that its kind and its title are known. */
export const choice: Make = (value, { messages }) => {
  const { id, title, description } = body(value, 'choice');
  const offered = offeredOptions(messages).find((one) => (id === undefined ? one.title === title : one.id === id));
  if (offered?.list)
    return {
      type: 'interactive',
      context: { id: offered.wamid },
      interactive: {
        type: 'list_reply',
        list_reply: {
          id: offered.id,
          title: offered.title,
          ...(offered.description && { description: offered.description }),
        },
      },
    };
  if (offered === undefined && typeof id !== 'string') throw new WrongBody('choice needs the id of an option.');
  const button_reply = offered ? { id: offered.id, title: offered.title } : { id, title, ...defined({ description }) };
  return {
    type: 'interactive',
    ...(offered && { context: { id: offered.wamid } }),
    interactive: { type: 'button_reply', button_reply },
  };
};

/** A tap on a quick reply of a template. */
export const button: Make = (value, { messages }) => {
  const { text, payload } = body(value, 'button');
  if (typeof text !== 'string') throw new WrongBody('button needs the text that was tapped.');
  const template = messages.findLast((one) => one.direction === 'received' && one.payload.type === 'template');
  return {
    type: 'button',
    ...(template && { context: { id: template.wamid } }),
    button: { payload: payload ?? text, text },
  };
};
