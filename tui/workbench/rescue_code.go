package workbench

import (
	"errors"

	"caliper/engine/rescue"
	"caliper/engine/rescue/fetch"
)

// The codes of errors of the store, in addition to package fetch's.
const (
	CodeBadID    = "bad_id"
	CodeNotHeld  = "not_held"
	CodeGone     = "gone"
	CodeNotFound = "not_found"
	CodeDamaged  = "damaged"
)

// RescueCode returns the stable code of an error that answers a fetch: an error
// of the request, the id or the blob. It is empty for other errors, such as one
// of the store's folder. The text of an error with a code is meant for the
// model.
func RescueCode(err error) string {
	var request *fetch.Error
	var badID *rescue.BadID
	var notHeld *rescue.NotHeld
	var gone *rescue.Gone
	var notFound *rescue.NotFound
	var damaged *rescue.Damaged
	var notFile *rescue.NotFile
	switch {
	case errors.As(err, &request):
		return request.Code
	case errors.As(err, &badID):
		return CodeBadID
	case errors.As(err, &notHeld):
		return CodeNotHeld
	case errors.As(err, &gone):
		return CodeGone
	case errors.As(err, &notFound):
		return CodeNotFound
	case errors.As(err, &damaged), errors.As(err, &notFile):
		return CodeDamaged
	}
	return ""
}
