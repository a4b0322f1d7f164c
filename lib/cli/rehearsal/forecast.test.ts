import { describe, expect, it } from 'vitest'
import { variables } from '../../target/variables.ts'
import { orderSteps } from './forecast.ts'
import { type Ingredient, ingredients } from './ingredients.ts'

function ingredient(id: string): Ingredient {
  const found = ingredients.find((candidate) => candidate.id === id)
  if (found === undefined) throw new Error(`there is no ingredient ${id}`)
  return found
}

const main = ingredient('main account')
const open = ingredient('publicRepository')
const other = ingredient('other')
const key = ingredient('incident apiKey')
const incident = ingredient('incident incidentId')

function skipped(requirement: string, ...lacking: Ingredient[]) {
  return { requirement, outlook: 'skipped', lacking } as const
}

describe('the order of steps', () => {
  it('begins with what brings most, and counts each with those before it done', () => {
    const steps = orderSteps(
      [
        skipped('one', main),
        skipped('two', main),
        skipped('three', main, open),
        skipped('four', open),
        skipped('five', main, other),
        skipped('six', main, open, other),
      ],
      new Map([['seven', new Set([open])]]),
    )

    expect(steps).toEqual([
      { ingredients: [main], adds: ['one', 'two'], completes: [] },
      { ingredients: [open], adds: ['three', 'four'], completes: ['seven'] },
      { ingredients: [other], adds: ['five', 'six'], completes: [] },
    ])
  })

  it('makes one step of what brings nothing alone', () => {
    const steps = orderSteps(
      [skipped('one', key, incident), skipped('two', key, incident)],
      new Map(),
    )

    expect(steps).toEqual([{ ingredients: [key, incident], adds: ['one', 'two'], completes: [] }])
  })

  it('does not ask for what another step brings along', () => {
    const password = ingredient('password in place of a token')
    const login = ingredient('login name beside a token')
    const steps = orderSteps(
      [skipped('one', password), skipped('two', password), skipped('three', login)],
      new Map(),
    )

    expect(steps).toEqual([
      { ingredients: [password], adds: ['one', 'two', 'three'], completes: [] },
    ])
  })

  it('has no steps where nothing is lacking', () => {
    expect(
      orderSteps([{ requirement: 'one', outlook: 'left out', lacking: [] }], new Map()),
    ).toEqual([])
  })
})

describe('what can be added', () => {
  it('names variables that there are', () => {
    const named = ingredients.flatMap((one) => [...one.variables])

    expect(named.filter((name) => !Object.hasOwn(variables, name))).toEqual([])
    expect(named.length).toBeGreaterThan(15)
  })
})
