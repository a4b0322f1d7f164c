import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/**
 * Compiles JSON Schemas (2020-12). What it compiles for a module named `validators.ts` the build writes
 * out, since Ajv takes longer for it than a command for all else.
 */
export const ajv = addFormats.default(
  new Ajv2020({
    allErrors: true,
    // A response may be null or an object, and `strictTypes` takes that union for a slip.
    allowUnionTypes: true,
    // That a schema is one is a test's business.
    validateSchema: false,
    code: { source: true, esm: true },
  }),
) as Ajv2020
