// Lets Node.js load TypeScript, by `--import` or import. Without the cache of tsx: it is in a folder of the temporary
// directory whose name is known, and whoever makes that folder first decides what is loaded.

process.env.TSX_DISABLE_CACHE = '1'
const { register } = await import('tsx/esm/api')
register()
