interface Reader {
  readonly projection: { readonly categories: readonly string[] };
}

/** Groups builds so that no two groups share a category. Each group reads the log without reading any event twice. */
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
