/** Ids of the tolerance of that name, one for each of the requirements. */
export function tolerance(name: string, requirements: readonly string[]): readonly string[] {
  return requirements.map((requirement) => `${requirement}/${name}`)
}
