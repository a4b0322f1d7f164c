import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** Compiles JSON Schemas (2020-12). The build precompiles each `validators.ts`, because compiling is slow. */
export const ajv = addFormats.default(
  new Ajv2020({
    allErrors: true,
    // A response may be null or an object, a union that `strictTypes` rejects.
    allowUnionTypes: true,
    // A test validates the schemas.
    validateSchema: false,
    code: { source: true, esm: true },
  }),
) as Ajv2020
