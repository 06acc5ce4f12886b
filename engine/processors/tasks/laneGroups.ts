/** A lane, grouped by the prefix of its name. */
interface Named {
  readonly name: string;
}

interface Group<L> {
  /** Number of its lanes that have their turn. */
  busy: number;
  /** Its lanes that wait until others of the group end their turn. */
  readonly parked: L[];
}

export interface LaneGroups<L> {
  /** Begins the lane's turn. False if its group has used its share; the lane is then parked here. */
  begin(lane: L): boolean;
  /** Ends a turn. Returns parked lanes that may try again. */
  end(lane: L): readonly L[];
}

/** Returns the group of a lane. A lane without one is a group of its own. */
const groupOf = ({ name }: Named): string => name.slice(0, name.indexOf('/') + 1) || name;

/**
 * Limits the turns of each group. A group with a turn gets another only while its own turns are fewer than the free
 * ones. So a single group takes half of all turns, `n` groups that hang take n/(n+1) together, and one turn is always
 * left for another group.
 */
export function createLaneGroups<L extends Named>(turns: number): LaneGroups<L> {
  const groups = new Map<string, Group<L>>();
  /** Groups with parked lanes, longest waiting first. */
  const parked = new Set<string>();
  let busy = 0;

  const room = (group: Group<L>): number => Math.max(1, turns - busy) - group.busy;

  /** Removes as many of the group's parked lanes as have room. */
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
      // One other group at a time: each release makes room for all of them, and they take turns.
      const [next] = parked;
      const others = next === undefined || next === name ? [] : unpark(next);
      if (group.busy === 0 && group.parked.length === 0) groups.delete(name);
      return [...own, ...others];
    },
  };
}
