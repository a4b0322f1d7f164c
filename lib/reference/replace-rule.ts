/** Makes the function that replaces one of these rules by what is made of it. */
export function ruleReplacer<Rules extends object>() {
  return <Name extends keyof Rules>(
    name: Name,
    make: (documented: Rules[Name]) => Rules[Name],
  ): ((rules: Rules) => Rules) =>
    (rules) => ({ ...rules, [name]: make(rules[name]) })
}
