import type { Operation } from '../../contract/operation.js';
import { cancelOrder } from './cancelOrder.js';
import { getOrder } from './getOrder.js';
import { listOrders } from './listOrders.js';
import { setOrderStatus } from './setOrderStatus.js';

export const orderOperations: readonly Operation[] = [listOrders, getOrder, cancelOrder, setOrderStatus];
