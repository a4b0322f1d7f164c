import packageJson from '../../package.json' with { type: 'json' }

/** Version of Plumbline. */
export const version: string = packageJson.version
