import { describe, expect, it } from 'vitest'
import { catalogues } from '../lib/cli/services.ts'
import { versions } from '../lib/results/requirement.ts'
import waiversSchema from '../lib/runs/waivers/waivers.schema.json' with { type: 'json' }
import packageJson from '../package.json' with { type: 'json' }
import snapshot from './catalogues.snapshot.json' with { type: 'json' }

describe('released requirements', () => {
  const released = catalogues.flatMap(({ requirements }) =>
    requirements.map(({ id, statement, level, since }) => ({ id, statement, level, since })),
  )

  // A requirement without `since` belongs to the first version.
  it('of the first version are 114, and later ones name their version', () => {
    expect(released.filter(({ since }) => since === '0.1.0')).toHaveLength(114)
    expect(released.filter(({ since }) => since === '0.2.0')).not.toEqual([])
    expect(versions.at(-1)).toBe(packageJson.version)
  })

  // Editors complete ids; a run accepts others, and says that they are unknown.
  it('are in the schema of waivers for editors', async () => {
    const schema: object & { $defs: { waiver: { properties: Record<string, object> } } } =
      structuredClone({ ...waiversSchema, $id: 'urn:plumbline:schema:waivers-with-ids:1' })
    const { properties } = schema.$defs.waiver
    properties.requirement = { ...properties.requirement, enum: released.map(({ id }) => id) }
    const text = `${JSON.stringify(schema, undefined, 2)}\n`
    await expect(text).toMatchFileSnapshot('waivers.schema.json')
  })

  // Reports, waivers and histories store ids: a requirement with another meaning gets a new id.
  it('keep their ids and texts', async () => {
    const ids = new Set(released.map(({ id }) => id))
    const missing = snapshot.filter(({ id, since }) => since !== versions.at(-1) && !ids.has(id))
    // Fails with -u too, before Vitest would write the file.
    expect(missing).toEqual([])
    const text = `${JSON.stringify(released, undefined, 2)}\n`
    await expect(text).toMatchFileSnapshot('catalogues.snapshot.json')
  })
})
