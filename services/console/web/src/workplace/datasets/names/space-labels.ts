/** A space that exists. */
export interface KnownSpace {
  id: string
  name: string
  kind: string
  parent_id: string | null
}

const maxLevels = 8

/** Returns the names of spaces by id, each after its building: floors of several buildings have the same name. */
export function labelSpaces(spaces: readonly KnownSpace[]): ReadonlyMap<string, string> {
  const byId = new Map(spaces.map((space) => [space.id, space]))
  const buildingOf = (space: KnownSpace): KnownSpace | undefined => {
    let above = byId.get(space.parent_id ?? '')
    for (let level = 0; above !== undefined && above.kind !== 'building' && level < maxLevels; level++)
      above = byId.get(above.parent_id ?? '')
    return above
  }
  return new Map(
    spaces.map((space) => {
      const building = buildingOf(space)
      return [space.id, building === undefined ? space.name : `${building.name} / ${space.name}`]
    }),
  )
}
