import { Option } from 'commander'

/** Taken by every command. */
export const envFileOption = () =>
  new Option('--env-file <file>', 'read variables from this file instead of .env')

export const faultOption = () =>
  new Option('--fault <name>', 'give the embedded reference deployment this fault')

export const variantOption = () =>
  new Option('--variant <name>', 'let the embedded reference deployment choose differently')

export const noEmbeddedOption = () =>
  new Option('--no-embedded', 'take it for a mistake when no deployment is configured')
