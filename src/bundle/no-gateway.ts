/**
 * What stands in the deployed bundle for `@ai-sdk/gateway`: the service that the AI SDK asks for a model that is given by
 * its name alone. Edgepress always gives a model of its own providers (src/ai), so the SDK never gets this far.
 */
class GatewayError extends Error {
  /** The SDK asks this of every error that it gets. */
  static isInstance(this: void): false {
    return false;
  }
}

class GatewayAuthenticationError extends GatewayError {}

function createGateway(): never {
  throw new Error("The AI SDK's gateway is not part of this bundle.");
}

export { createGateway, createGateway as gateway, GatewayAuthenticationError, GatewayError };
