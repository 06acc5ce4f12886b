export { Type } from '../../domain/schema.js';
