import type { Fault } from '../fault.ts'
import { on, refusedWith } from '../refusal-change.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const section = 'code-hosting/scopes'

type Scopes = readonly string[]

/** Names other scopes than those that are missing and those that are there. */
function named(change: (required: Scopes, granted: Scopes) => [Scopes, Scopes]): RuleChange {
  return replaceRule('missingScope', (documented) => (required, granted, context) => {
    const [otherRequired, otherGranted] = change(required, granted)
    return documented(otherRequired, otherGranted, context)
  })
}

/** Names the same scopes in another text. */
function worded(change: (message: string) => string): RuleChange {
  return refusedWith('missingScope', ({ message }) => ({ message: change(message) }))
}

const withoutScopes = { message: 'token does not have at least one of required scope(s)' }

/** Faults in what a token that lacks a scope is told. */
export const scopeMessageFaults: readonly Fault[] = [
  {
    name: 'missing-scope-message-without-scopes',
    requirements: [
      `${section}/missing-scope-message`,
      `${section}/message-names-required`,
      `${section}/message-names-granted`,
    ],
    change: refusedWith('missingScope', withoutScopes),
  },
  {
    name: 'missing-scope-message-without-scopes-on-a-repository',
    requirements: [
      `${section}/missing-scope-message`,
      `${section}/message-names-required`,
      `${section}/message-names-granted`,
    ],
    change: refusedWith('missingScope', withoutScopes, on('repository')),
  },
  {
    name: 'missing-scope-message-without-brackets',
    requirements: [`${section}/missing-scope-message`],
    change: worded((message) => message.replace(/[[\]]/g, '')),
  },
  {
    name: 'missing-scope-message-in-another-case',
    requirements: [`${section}/missing-scope-message`],
    change: worded((message) => message.replace(/^t/, 'T')),
  },
  {
    name: 'missing-scope-message-with-full-stop',
    requirements: [`${section}/missing-scope-message`],
    change: worded((message) => `${message}.`),
  },
  {
    name: 'missing-scope-message-in-other-words',
    requirements: [`${section}/missing-scope-message`],
    change: worded((message) => message.replace('token scope=', 'but it has ')),
  },
  {
    name: 'missing-scope-message-names-other-required',
    requirements: [`${section}/message-names-required`],
    change: named((_required, granted) => [['read:package'], granted]),
  },
  {
    name: 'missing-scope-message-names-write-as-required',
    requirements: [`${section}/message-names-required`],
    change: named((required, granted) => [
      required.map((scope) => scope.replace('read:', 'write:')),
      granted,
    ]),
  },
  {
    name: 'missing-scope-message-names-other-granted',
    requirements: [`${section}/message-names-granted`],
    change: named((required, granted) => [required, [...granted, 'read:package']]),
  },
  {
    name: 'missing-scope-message-names-none-granted',
    requirements: [`${section}/message-names-granted`],
    change: named((required) => [required, []]),
  },
  {
    name: 'missing-scope-message-with-scopes-swapped',
    requirements: [`${section}/message-names-required`, `${section}/message-names-granted`],
    change: named((required, granted) => [granted, required]),
  },
]
