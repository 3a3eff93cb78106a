package town

// Bounds of generated routes, for the tests.
const (
	RouteNear = routeNear
	RouteFar  = routeFar
	RouteLegs = routeLegs
)
