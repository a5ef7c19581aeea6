import espalier from './index.js';

export const { lint, compile, replay, run } = espalier;
export default espalier;
