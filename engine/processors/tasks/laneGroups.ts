/** What is grouped: a lane, by its name. */
interface Named {
  readonly name: string;
}

interface Group<L> {
  /** Its lanes that have their turn. */
  busy: number;
  /** Its lanes whose turn came and that wait for others of the group to end. */
  readonly parked: L[];
}

export interface LaneGroups<L> {
  /** Begins the lane's turn; false: its group has its share, and the lane is kept here. */
  begin(lane: L): boolean;
  /** Ends a turn; answers the lanes that were kept here and may try again. */
  end(lane: L): readonly L[];
}

/** A lane without a group is one of its own. */
const groupOf = ({ name }: Named): string => name.slice(0, name.indexOf('/') + 1) || name;

/**
 * Turns by group: one that has a turn gets another only while fewer of its own are taken than are free. So a group alone
 * takes half of all, `n` groups that hang take n/(n+1) together, and there is always one left for another.
 */
export function createLaneGroups<L extends Named>(turns: number): LaneGroups<L> {
  const groups = new Map<string, Group<L>>();
  /** Groups with parked lanes, longest unseen first. */
  const parked = new Set<string>();
  let busy = 0;

  const room = (group: Group<L>): number => Math.max(1, turns - busy) - group.busy;

  /** As many of its lanes as have room. */
  function unpark(name: string): L[] {
    const group = groups.get(name);
    if (!parked.delete(name) || group === undefined) return [];
    const lanes = group.parked.splice(0, Math.max(0, room(group)));
    if (group.parked.length > 0) parked.add(name);
    return lanes;
  }

  return {
    begin(lane) {
      const name = groupOf(lane);
      const group = groups.get(name) ?? { busy: 0, parked: [] };
      groups.set(name, group);
      if (group.busy > 0 && room(group) <= 0) {
        group.parked.push(lane);
        parked.add(name);
        return false;
      }
      group.busy++;
      busy++;
      return true;
    },
    end(lane) {
      const name = groupOf(lane);
      const group = groups.get(name)!;
      group.busy--;
      busy--;
      const own = unpark(name);
      // One other at a time: each release gives room to all of them, and all of them come to their turn.
      const [next] = parked;
      const others = next === undefined || next === name ? [] : unpark(next);
      if (group.busy === 0 && group.parked.length === 0) groups.delete(name);
      return [...own, ...others];
    },
  };
}
