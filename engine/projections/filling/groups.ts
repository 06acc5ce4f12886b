interface Reader {
  readonly projection: { readonly categories: readonly string[] };
}

/** Builds that share no category with those of another group: each group reads the log without reading anything twice. */
export function groupsOf<B extends Reader>(builds: readonly B[]): B[][] {
  let groups: { categories: Set<string>; builds: B[] }[] = [];
  for (const build of builds) {
    const { categories } = build.projection;
    const joined = { categories: new Set(categories), builds: [build] };
    const isApart = (group: { categories: Set<string> }): boolean =>
      !categories.some((one) => group.categories.has(one));
    for (const group of groups) {
      if (isApart(group)) continue;
      for (const one of group.categories) joined.categories.add(one);
      joined.builds.unshift(...group.builds);
    }
    groups = [...groups.filter(isApart), joined];
  }
  return groups.map((group) => group.builds);
}
