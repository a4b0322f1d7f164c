import { invariant } from './dsl.ts'
import { responseRuleIds, responseRules } from './model/response-rules.ts'

for (const id of responseRuleIds) invariant(id, responseRules[id])
